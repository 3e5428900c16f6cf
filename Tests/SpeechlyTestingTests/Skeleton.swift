import XCTest
final class SpeechlyTestingSkeletonTests: XCTestCase {}
