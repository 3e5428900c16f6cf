enum SpeechlyTestingSkeleton {}
