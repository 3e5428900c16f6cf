enum DocumentationTestsSkeleton {}
