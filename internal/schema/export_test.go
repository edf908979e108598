package schema

// Relaxed returns options without limits, format assertion, metering and the ban on dynamic references. Other documents
// come from load.
func Relaxed(load func(url string) (any, error)) *Options {
	const most = 1 << 30
	return &Options{MaxBytes: most, MaxDepth: 1000, MaxSubschemas: most, MaxCost: most, MaxWork: most, load: load}
}
