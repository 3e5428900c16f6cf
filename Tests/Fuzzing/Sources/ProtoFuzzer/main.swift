import CFuzzHooks
import Glibc

// Usage: FUZZ_MESSAGE=speechly.slu.v1.SLUResponse ProtoFuzzer [libFuzzer's options] CORPUS…
//        ProtoFuzzer --list

if CommandLine.arguments.dropFirst() == ["--list"] {
    for type in messageTypes { print(type.messageName) }
    exit(0)
}
if messageType == nil {
    print("ProtoFuzzer: FUZZ_MESSAGE names no message; --list prints them")
    exit(2)
}

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
let status = LLVMFuzzerRunDriver(&argumentCount, &arguments) { bytes, count in
    fuzz(bytes, count)
    return 0
}
exit(status)
