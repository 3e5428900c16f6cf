@_exported import SpeechlyAudio
@_exported import SpeechlyCore
@_exported import SpeechlyGRPC
@_exported import SpeechlyProto
