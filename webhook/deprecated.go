package webhook

// Former names of values, whose names now begin with the name of their type. The command go fix replaces them. The
// release after the next one removes them.
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
