package inboxtest

import (
	"testing"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Engine describes how to open the tested inbox, and its abilities. Each function ends the test by t.Fatal if it fails,
// and closes everything that it opened by t.Cleanup.
type Engine struct {
	// Open returns a new, empty inbox. It must be set.
	Open func(t *testing.T) webhook.Inbox

	// Limited returns a new, empty inbox that holds at most highWater pending entries, and ten times as many dead ones.
	// If nil, the engine has no such limits.
	Limited func(t *testing.T, highWater int) webhook.Inbox

	// Share returns another handle on the store of an inbox, as another process would have. If nil, a store can be
	// opened only once.
	Share func(t *testing.T, inbox webhook.Inbox) webhook.Inbox

	// Reopen closes an inbox and opens its store again. If nil, entries do not survive the inbox.
	Reopen func(t *testing.T, inbox webhook.Inbox) webhook.Inbox

	// Holds reports whether the files of an inbox contain a text, after the steps that the engine documents for erasing
	// deleted bodies. If nil, it has no files that can be searched.
	Holds func(t *testing.T, inbox webhook.Inbox, text []byte) bool

	// Parts is true if the inbox consists of several inboxes, each with a part of the stores. Then the stores of
	// different parts need not take turns with each other.
	Parts bool

	// Bubble runs each test. Use synctest.Test if the engine's clock is that of package time and the engine waits only
	// for events inside the process. If nil, tests run without a bubble.
	Bubble func(t *testing.T, test func(t *testing.T))
}

// Run tests each rule of webhook.Inbox against the engine.
func Run(t *testing.T, e Engine) {
	t.Helper()
	t.Run("Rules", func(t *testing.T) {
		for _, c := range rules(e) {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				bubble := e.Bubble
				if bubble == nil {
					bubble = func(t *testing.T, test func(t *testing.T)) { test(t) }
				}
				bubble(t, func(t *testing.T) { c.test(open(t, e)) })
			})
		}
	})
}

// rule is a test of one part of the documentation of webhook.Inbox.
type rule struct {
	name string
	test func(p *probe)
}

func rules(e Engine) []rule {
	all := []rule{
		{"Entry", entryIsKept},
		{"Entry/copied", entryIsCopied},
		{"Trace", traceIsKept},
		{"Trace/signal", traceOfSignal},
		{"Trace/fact", traceOfFact},
		{"Trace/kind", traceOfKind},
		{"Trace/dead", traceOfDead},
		{"Trace/of one call", traceOfOneCall},
		{"Trace/not valid", traceNotValid},
		{"Signal/absent", signalAbsent},
		{"Signal/pending", signalPending},
		{"Signal/newer", signalNewer},
		{"Signal/dead", signalDead},
		{"Fact/absent", factAbsent},
		{"Fact/pending", factPending},
		{"Fact/done", factDone},
		{"Fact/dead", factDead},
		{"Fact/window", factWindow},
		{"Kind/pending", kindPending},
		{"Kind/done", kindDone},
		{"Kind/dead", kindDead},
		{"Unhandled/absent", unhandled},
		{"Unhandled/later", unhandledLater},
		{"Settle", settle},
		{"Settle/shortened", settleShortened},
		{"Batch/order", batchOrder},
		{"Batch/atomic", batchAtomic},
		{"Lane/one at a time", laneOneAtATime},
		{"Lane/longest due first", laneOrder},
		{"Lane/continues after failures", lanePoison},
		{"Lane/exclusive", laneExclusive},
		{"Lease/limit", leaseLimit},
		{"Lease/ends", leaseEnds},
		{"Lease/unfinished", leaseUnfinished},
		{"Lease/stale", leaseStale},
		{"Lease/used up", leaseUsedUp},
		{"Fair/flood", fairFlood},
		{"Fair/one call", fairCall},
		{"Fair/resting", fairResting},
		{"Fair/leases that ended", fairEnded},
		{"Fair/again", fairAgain},
		{"Fair/without", fairWithout},
		{"Lease/not received", leaseUnreceived},
		{"Extend", extend},
		{"Token", tokensGrow},
		{"Token/raised", tokenRaised},
		{"Commit/again", commitAgain},
		{"Commit/count", commitCount},
		{"Commit/due now", commitDueNow},
		{"Commit/race", commitRace},
		{"Clears", clears},
		{"Clears/only after a run", clearsLate},
		{"Fail/rests", failRests},
		{"Fail/one second", failSecond},
		{"Fail/dead", failDead},
		{"Fail/dead with news", failDeadWithNews},
		{"Fail/released", failReleased},
		{"Fail/released for a moment", failReleasedLater},
		{"Fail/waits", failWaits},
		{"Fail/dropped", failDropped},
		{"Store/dropped", storeDropped},
		{"Store/dropped at length", storeDroppedAtLength},
		{"Stats", stats},
		{"Stats/oldest", statsOldest},
		{"Flow", flow},
		{"Context", contextEnds},
		{"Wait/over", waitOver},
		{"Wait/accepted", waitAccepted},
		{"Wait/due", waitDue},
		{"Wait/lease ends", waitLeaseEnds},
		{"Wait/lane is free", waitLaneFree},
		{"DeadLetters/list", deadList},
		{"DeadLetters/replay", deadReplay},
		{"DeadLetters/purge", deadPurge},
		{"DeadLetters/purge of a store", deadPurgeStore},
		{"DeadLetters/purge of a store that changes", deadPurgeStoreReplayed},
		{"Browser/filters", browseFilters},
		{"Browser/entry", browseEntry},
		{"Browser/failures", browseFailures},
		{"Browser/groups", browseGroups},
		{"Browser/replay and purge", browseActs},
		{"Marks", marks},
		{"Protected/again", protectedAgain},
		{"Protected/stays", protectedStays},
	}
	if !e.Parts {
		all = append(all, rule{"Fair/turns", fairTurns}, rule{"Fair/many stores", fairMany})
	}
	if e.Limited != nil {
		all = append(all, rule{"Full", full}, rule{"Full/drained", fullDrained}, rule{"Full/of one call", fullOfOneCall},
			rule{"DeadLetters/limit", deadLimit})
	}
	if e.Share != nil {
		all = append(all, rule{"Shared", shared}, rule{"Shared/lane", sharedLane}, rule{"Shared/wait", sharedWait},
			rule{"Shared/fair", fairShared})
	}
	if e.Reopen != nil {
		all = append(all, rule{"Reopened/entries", reopenedEntries}, rule{"Reopened/leases", reopenedLeases},
			rule{"Reopened/fair", fairReopened})
	}
	if e.Holds != nil {
		all = append(all, rule{"Protected", protected}, rule{"Purged", purged})
	}
	return all
}
