import CFuzzHooks
import Glibc

// Usage: FUZZ_INPUT=sal SALFuzzer [libFuzzer's options] CORPUS…
//        SALFuzzer --list

if CommandLine.arguments.dropFirst() == ["--list"] {
    for kind in InputKind.allCases { print(kind.rawValue) }
    exit(0)
}
if inputKind == nil {
    print("SALFuzzer: FUZZ_INPUT names no kind of input; --list prints them")
    exit(2)
}

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
let status = LLVMFuzzerRunDriver(&argumentCount, &arguments) { bytes, count in
    fuzz(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
exit(status)
