package disputes_test

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/disputes"
)

// run follows the updates of a dispute about 25.50 ARS and prints what is withheld
// from the merchant after each.
func run(retained string, updates ...disputes.Update) {
	now := disputes.Input{Amount: money("25.50"), RetainedTotal: money(retained)}.Timeline()
	fmt.Println(now.Status, now.Retained.Value)
	for _, u := range updates {
		var err error
		if now, err = now.After(u); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(now.Status, now.Retained.Value)
	}
}

// Nothing is ever withheld.
func ExampleTimeline_wonDirectly() {
	run("0.00", disputes.Update{Status: disputes.StatusWon, RetainedTotal: money("0.00"), ClosedAt: day})
	// Output:
	// needs_response 0.00
	// won 0.00
}

// All is withheld once the merchant has lost.
func ExampleTimeline_lostDirectly() {
	run("0.00", disputes.Update{Status: disputes.StatusLost, RetainedTotal: money("25.50"), ClosedAt: day})
	// Output:
	// needs_response 0.00
	// lost 25.50
}

// All is withheld throughout.
func ExampleTimeline_reviewedAndLost() {
	run("25.50",
		disputes.Update{Status: disputes.StatusUnderReview, RetainedTotal: money("25.50")},
		disputes.Update{Status: disputes.StatusLost, RetainedTotal: money("25.50"), ClosedAt: day})
	// Output:
	// needs_response 25.50
	// under_review 25.50
	// lost 25.50
}

// All is released when the merchant wins.
func ExampleTimeline_reviewedAndWon() {
	run("25.50",
		disputes.Update{Status: disputes.StatusUnderReview, RetainedTotal: money("25.50")},
		disputes.Update{Status: disputes.StatusWon, RetainedTotal: money("0.00"), ClosedAt: day})
	// Output:
	// needs_response 25.50
	// under_review 25.50
	// won 0.00
}

// The insurance releases all, and a later loss withholds nothing: the provider has
// taken over the liability.
func ExampleTimeline_insuredAndLost() {
	run("25.50",
		disputes.Update{Status: disputes.StatusUnderReview, RetainedTotal: money("25.50")},
		disputes.Update{Status: disputes.StatusInsured, RetainedTotal: money("0.00")},
		disputes.Update{Status: disputes.StatusLost, RetainedTotal: money("0.00"), ClosedAt: day})
	// Output:
	// needs_response 25.50
	// under_review 25.50
	// insured 0.00
	// lost 0.00
}
