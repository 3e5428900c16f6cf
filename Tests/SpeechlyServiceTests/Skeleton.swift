import XCTest
final class SpeechlyServiceSkeletonTests: XCTestCase {}
