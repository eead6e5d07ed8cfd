package webhook

import "github.com/commerceplatform/commerce-go/client/value"

// App is the payload of app/uninstalled. The platform retries for up to 48 hours, and the merchant may have installed
// the app again meanwhile. Try the token of the store before you delete anything.
type App struct {
	ID    value.ID    `json:"id"` // the app
	Extra value.Extra `json:",embed"`
}

func (a App) identity() identity { return occurrence(number(a.ID), wholeStore) }

// AppAccess is the payload of app/suspended and app/resumed. The contract shows no member of it. The two may arrive in
// any order, so ask the API which one holds.
type AppAccess struct {
	Extra value.Extra `json:",embed"`
}

func (AppAccess) identity() identity { return identity{key: wholeStore, lane: wholeStore} }

// AppSubscription is the payload of app_subscription/updated. The order of topics is not guaranteed, so read the
// subscription instead of acting on the topic alone.
type AppSubscription struct {
	AppID value.ID    `json:"id"`    // the app
	Topic Topic       `json:"topic"` // the change; may arrive out of order
	Plan  *Plan       `json:"plan"`  // nil if there is none
	Extra value.Extra `json:",embed"`
}

func (a AppSubscription) identity() identity {
	app := number(a.AppID)
	plan := ""
	if a.Plan != nil {
		plan = string(a.Plan.ID)
	}
	return identity{distinct: joined(app, string(a.Topic), plan), key: app, lane: app}
}

// Topic is a change of a subscription. Values that are not listed may occur.
type Topic string

// The topics of the contract.
const (
	TopicChurn       Topic = "churn"        // the merchant stopped paying; the paid service should stop
	TopicPhoenix     Topic = "phoenix"      // an ended subscription was reactivated
	TopicPlanChanged Topic = "plan_changed" // Plan is the new plan
)

// Plan is the plan that a merchant subscribed to.
type Plan struct {
	ID                BillingID   `json:"id"`
	Code              string      `json:"code"`               // the platform's code
	ExternalReference string      `json:"external_reference"` // the app's own reference
	Extra             value.Extra `json:",embed"`
}
