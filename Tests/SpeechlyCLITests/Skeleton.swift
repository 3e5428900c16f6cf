import XCTest
final class SpeechlyCLISkeletonTests: XCTestCase {}
