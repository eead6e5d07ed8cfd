package webhook

// Former names of values, which begin with the names of their types now. Command go fix replaces them; the release
// after the next one will not have them.
//
// Deprecated: use the names that begin with the type.
//
//go:fix inline
const (
	Active      = AccessActive     // of Access
	Gone        = AccessGone       // of Access
	Suspended   = AccessSuspended  // of Access
	Fact        = KindFact         // of Kind
	Signal      = KindSignal       // of Kind
	Joined      = OutcomeJoined    // of Outcome
	Known       = OutcomeKnown     // of Outcome
	Revived     = OutcomeRevived   // of Outcome
	Shelved     = OutcomeShelved   // of Outcome
	Stored      = OutcomeStored    // of Outcome
	Churn       = TopicChurn       // of Topic
	Phoenix     = TopicPhoenix     // of Topic
	PlanChanged = TopicPlanChanged // of Topic
)
