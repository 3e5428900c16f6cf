import XCTest
final class SpeechlyGRPCSkeletonTests: XCTestCase {}
