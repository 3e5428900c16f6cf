import XCTest
final class SpeechlyCoreSkeletonTests: XCTestCase {}
