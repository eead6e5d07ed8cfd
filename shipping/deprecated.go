package shipping

// Former names of values, which begin with the names of their types now. Command go fix replaces them; the release
// after the next one will not have them.
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
