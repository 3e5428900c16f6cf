import XCTest
final class SpeechlyAudioSkeletonTests: XCTestCase {}
