enum SpeechlyCoreSkeleton {}
