import XCTest
final class SpeechlyProtoSkeletonTests: XCTestCase {}
