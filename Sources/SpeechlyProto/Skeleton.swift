enum SpeechlyProtoSkeleton {}
