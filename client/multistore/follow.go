package multistore

import (
	"context"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Follow adds a copy of the records of all stores to an app. App.Copies runs the copy, the events update it (see
// webhook.OnCopied), and App.Sweep finds changes without a webhook. Changed is the event of a changed record, such as
// webhook.ProductUpdated or webhook.CustomerUpdated; more lists the other events of these records. If the App of t is
// 0, it is set to that of Tokens. Call Follow before Serve.
func Follow[T any, P webhook.Record](
	a *App, t *sqlcopy.Table[T], changed webhook.Event[P], more ...webhook.Event[P],
) {
	if t.App == 0 && a.Tokens != nil {
		t.App = a.Tokens.App
	}
	a.Copies.Of = append(a.Copies.Of, t.Copy)
	a.forget = append(a.forget, t.Forget)
	webhook.OnCopied(a.Events, t.Copy, append(more, changed)...)
	list := func(ctx context.Context, store client.ID) (client.List[T], error) { return t.List(ctx, store) }
	a.Sweep.Sources = append(a.Sweep.Sources, webhook.ChangedIn(changed.Name, list))
}
