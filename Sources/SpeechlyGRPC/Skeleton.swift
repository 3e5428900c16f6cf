enum SpeechlyGRPCSkeleton {}
