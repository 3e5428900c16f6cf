enum SpeechlyAudioSkeleton {}
