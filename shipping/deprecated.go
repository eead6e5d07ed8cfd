package shipping

// Former names of values, replaced by names that begin with their types. Run go fix to replace them. The release
// after the next one removes them.
//
// Deprecated: use the names that begin with the type.
//
//go:fix inline
const (
	AtRisk   = HealthStateAtRisk  // of HealthState
	Healthy  = HealthStateHealthy // of HealthState
	Open     = HealthStateOpen    // of HealthState
	Probing  = HealthStateProbing // of HealthState
	Fail     = PolicyFail         // of Policy
	Refuse   = PolicyRefuse       // of Policy
	Cached   = SourceCached       // of Source
	Called   = SourceCalled       // of Source
	Nobody   = SourceNobody       // of Source
	Shared   = SourceShared       // of Source
	Stale    = SourceStale        // of Source
	ToDoor   = TypeToDoor         // of Type
	ToPickup = TypeToPickup       // of Type
)
