enum SpeechlyServiceSkeleton {}
