import XCTest
final class SpeechlySkeletonTests: XCTestCase {}
