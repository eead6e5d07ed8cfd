package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// reporting is the feature of stores in which apps report labels.
const reporting = "fulfillment_order_label_api"

// labels are the endpoints of a carrier that makes labels. The address that is examined is the one below which they
// are.
type labels struct {
	base    string
	variant int64
	carrier int64
	reports bool // the store lets apps report labels
	calls   []labelCallJSON
}

func (*labels) limit() time.Duration { return world.Contract().LabelTimeout }

// foreign reports calls of other endpoints at the origin.
func (l *labels) foreign(e *exam, at *url.URL) bool {
	return !strings.HasPrefix(e.o.Origin+at.Path, l.base+"/")
}

func (*labels) signs(*exam) bool { return false }

func (*labels) sign(_ *exam, like exchange, _ []byte) (http.Header, bool) {
	return like.header.Clone(), true
}

// prepare finds the carrier of the endpoint, or adds one.
func (l *labels) prepare(ctx context.Context, e *exam) error {
	l.base = strings.TrimSuffix(e.address(), "/")
	stores, err := all[struct {
		ID       int64    `json:"id"`
		Features []string `json:"features"`
	}](ctx, e.platform, "stores")
	if err != nil {
		return err
	}
	for _, s := range stores {
		l.reports = l.reports || s.ID == e.platform.store && slices.Contains(s.Features, reporting)
	}
	variants, err := e.variants(ctx)
	if err != nil {
		return err
	}
	l.variant = variants[0]
	known, err := all[struct {
		ID  int64  `json:"id"`
		App int64  `json:"app_id"`
		URL string `json:"labels_url"`
	}](ctx, e.platform, e.platform.in("entities/carriers"))
	if err != nil {
		return err
	}
	for _, k := range known {
		if k.App == e.platform.app && strings.TrimSuffix(k.URL, "/") == l.base {
			l.carrier = k.ID
		}
	}
	if l.carrier == 0 {
		l.carrier, err = e.addCarrier(ctx, object{"callback_url": l.base + "/rates", "callback_labels_url": l.base})
	}
	return err
}

// labelCallJSON is a call about labels, with the platform's judgement of the answer.
type labelCallJSON struct {
	Kind   string          `json:"kind"`
	Status int             `json:"status"`
	Late   bool            `json:"late"`
	MS     float64         `json:"ms"`
	Labels []labelPartJSON `json:"labels"`
	Reason string          `json:"reason"`
}

// labelPartJSON is the judgement about one label.
type labelPartJSON struct {
	Order   string `json:"fulfillment_order"`
	Label   string `json:"label"`
	OK      bool   `json:"ok"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  string `json:"status"`
}

// String is what the platform prints about a label.
func (p labelPartJSON) String() string {
	if p.OK {
		return "label " + p.Label + " is " + p.Status
	}
	return strings.TrimSpace(fmt.Sprintf("label %s is %s: %s %s", p.Label, p.Status, p.Code, p.Message))
}

// labelJSON is a label as the platform has it.
type labelJSON struct {
	ID     string `json:"id"`
	Order  string `json:"fulfillment_order_id"`
	Status string `json:"status"`
}

// waits reports whether the app has still to report the label.
func (l labelJSON) waits() bool { return l.Status == "STARTED" || l.Status == "IN_PROGRESS" }

// readyToDownload is the status of a report with documents.
const readyToDownload = "READY_TO_DOWNLOAD"

// labelReportJSON is what an app says of a label, in either form of the call.
type labelReportJSON struct {
	ID        string `json:"id"`
	Status    string `json:"status"`
	Documents []struct {
		URL string `json:"download_url_from_app"`
	} `json:"documents"`
	Tracking struct {
		Code string `json:"code"`
	} `json:"tracking_info"`
}

// reportsOf are what a call of the API says of a label.
func reportsOf(r apiCallJSON, label string) (out []labelReportJSON) {
	var groups []struct {
		Labels []labelReportJSON `json:"labels"`
	}
	var one labelReportJSON
	if strings.HasSuffix(r.Path, "/labels/"+label) && json.Unmarshal(r.Body, &one) == nil {
		return append(out, one)
	}
	if !strings.HasSuffix(r.Path, "/labels/status") {
		return nil
	}
	_ = json.Unmarshal(r.Body, &groups) // what is not a list has no labels
	for _, g := range groups {
		for _, one := range g.Labels {
			if one.ID == label {
				out = append(out, one)
			}
		}
	}
	return out
}

// differs reports whether a report has documents or a tracking code that the platform's label does not have.
func (r labelReportJSON) differs(known map[string]bool) bool {
	for _, d := range r.Documents {
		if !known[d.URL] {
			return true
		}
	}
	return r.Tracking.Code != "" && !known[r.Tracking.Code]
}

// texts adds the texts in a value.
func texts(v any, to map[string]bool) map[string]bool {
	switch v := v.(type) {
	case string:
		to[v] = true
	case []any:
		for _, one := range v {
			texts(one, to)
		}
	case object:
		for _, one := range v {
			texts(one, to)
		}
	}
	return to
}

// parcelJSON is a fulfillment order.
type parcelJSON struct {
	ID    string      `json:"id"`
	Order json.Number `json:"order_id"`
}

// parcel makes an order whose shipment is the carrier's, and returns its fulfillment order.
func (l *labels) parcel(ctx context.Context, e *exam) (string, error) {
	raw, err := e.platform.act(ctx, http.MethodPost, "/orders", object{
		"gateway": "not-provided", "products": []object{{"variant_id": l.variant, "quantity": 1}},
		"customer": object{"name": "Ana", "email": "ana@mail.example", "phone": "5550100"},
	})
	if err != nil {
		return "", err
	}
	known, err := all[parcelJSON](ctx, e.platform, e.platform.in("entities/fulfillment_orders?filter=%s", raw))
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(known, func(p parcelJSON) bool { return p.Order.String() == string(raw) })
	if at < 0 {
		return "", errNothing
	}
	ship := object{"shipping": object{"carrier": object{"carrier_id": fmt.Sprint(l.carrier)}}}
	path := fmt.Sprintf("/orders/%s/fulfillment-orders/%s", raw, known[at].ID)
	_, err = e.platform.act(ctx, http.MethodPatch, path, ship)
	return known[at].ID, err
}

// request has the platform ask for labels of some new parcels at once.
func (l *labels) request(ctx context.Context, e *exam, n int) (labelCallJSON, verdict, error) {
	var parcels []string
	for range n {
		p, err := l.parcel(ctx, e)
		if err != nil {
			return labelCallJSON{}, verdict{}, err
		}
		parcels = append(parcels, p)
	}
	return l.ask(ctx, e, "generate", object{"fulfillment_orders": parcels})
}

// ask has the platform make a call about labels.
func (l *labels) ask(ctx context.Context, e *exam, kind string, body object) (labelCallJSON, verdict, error) {
	var made struct {
		Calls []labelCallJSON `json:"calls"`
	}
	err := e.platform.Call(ctx, http.MethodPost, e.platform.in("labels/%s", kind), body, &made)
	if err != nil || len(made.Calls) == 0 || len(made.Calls[0].Labels) == 0 {
		return labelCallJSON{}, verdict{}, orNothing(err)
	}
	c := made.Calls[0]
	l.calls = append(l.calls, c)
	x, arrived := e.relay.find(ctx, func(x exchange) bool {
		return strings.HasSuffix(x.uri, "/"+kind) && bytes.Contains(x.body, []byte(c.Labels[0].Label))
	})
	if !arrived {
		return c, verdict{}, errNothing
	}
	return c, verdict{
		status: c.Status, accepted: c.Status >= 200 && c.Status < 300, late: c.Late, says: c.Reason, ex: x,
		took: time.Duration(c.MS * float64(time.Millisecond)),
	}, nil
}

// orNothing is an error, or that no call was made.
func orNothing(err error) error {
	if err == nil {
		err = errNothing
	}
	return err
}

func (l *labels) call(ctx context.Context, e *exam) (verdict, error) {
	_, v, err := l.request(ctx, e, 1)
	return v, err
}

// first is the label of the first genuine call.
func (l *labels) first(e *exam) (one labelPartJSON) {
	var asked []struct {
		ID    string `json:"id"`
		Order struct {
			ID string `json:"id"`
		} `json:"fulfillment_order_info"`
	}
	_ = json.Unmarshal(e.posted().body, &asked) // the platform's
	for _, a := range asked {
		one = labelPartJSON{Label: a.ID, Order: a.Order.ID}
	}
	return one
}

// shown returns a label as the platform has it now.
func (l *labels) shown(ctx context.Context, e *exam, id string) (labelJSON, error) {
	return get[labelJSON](ctx, e.platform, e.platform.in("entities/labels/%s", id))
}
