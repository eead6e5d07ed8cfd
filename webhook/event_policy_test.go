package webhook_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// TestPolicyTable: what an inbox makes of a delivery of each event. <n> stands for a
// hash of the whole body.
func TestPolicyTable(t *testing.T) {
	const (
		uuid  = `"6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11"`
		ulid  = `"01HV0C4B8T2V2M5DYH0000000A"`
		track = `"order_id":5,"fulfillment_id":` + ulid +
			`,"tracking_event_id":"01HV0C4B8T2V2M5DYH0000000B","status":"delivered"`
		charge = `"id":"c1","app_id":7,"charge":{"id":"c1","to_date":"2026-01-31T00:00:00+0000"}`
		ts     = `,"event_launch_ts":"2026-01-02T03:04:05+0000"`
		at     = "20:2026-01-02T03:04:05Z"
		fact   = "fact 72h0m0s"
	)
	tests := []struct{ event, members, kind, key, lane string }{
		{"app/uninstalled", `"id":7`, "signal", "app/uninstalled:7", "store:store"},
		{"app/suspended", `"id":7`, "signal", "app/access:store", "store:store"},
		{"app/resumed", `"id":7`, "signal", "app/access:store", "store:store"},
		{"category/created", `"id":5`, fact, "category/created:5", "category:5"},
		{"category/updated", `"id":5`, "signal", "category/updated:5", "category:5"},
		{"category/deleted", `"id":5`, fact + " clears category/created category/updated", "category/deleted:5",
			"category:5"},
		{"order/created", `"id":5`, fact, "order/created:5", "order:5"},
		{"order/updated", `"id":"5"`, "signal", "order/updated:5", "order:5"},
		{"order/paid", `"id":5`, "signal", "order/paid:5", "order:5"},
		{"order/packed", `"id":5`, "signal", "order/packed:5", "order:5"},
		{"order/fulfilled", `"id":5`, "signal", "order/fulfilled:5", "order:5"},
		{"order/cancelled", `"id":5`, "signal", "order/cancelled:5", "order:5"},
		{"order/custom_fields_updated", `"id":5`, "signal", "order/custom_fields_updated:5", "order:5"},
		{"order/edited", `"id":5`, "signal", "order/edited:5", "order:5"},
		{"order/pending", `"id":5`, "signal", "order/pending:5", "order:5"},
		{"order/voided", `"id":5`, "signal", "order/voided:5", "order:5"},
		{"order/in_preparation", `"id":5`, "signal", "order/in_preparation:5", "order:5"},
		{"order/unpacked", `"id":5`, "signal", "order/unpacked:5", "order:5"},
		{"product/created", `"id":5`, fact, "product/created:5", "product:5"},
		{"product/updated", `"id":5`, "signal", "product/updated:5", "product:5"},
		{"product/deleted", `"id":5`, fact + " clears product/created product/updated", "product/deleted:5",
			"product:5"},
		{"product_variant/custom_fields_updated", `"id":5`, "signal", "product_variant/custom_fields_updated:5",
			"product_variant:5"},
		{"domain/updated", ``, "signal", "domain/updated:store", "store:store"},
		{"order_custom_field/created", `"id":` + uuid, fact,
			"order_custom_field/created:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11",
			"order_custom_field:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11"},
		{"order_custom_field/updated", `"id":` + uuid, "signal",
			"order_custom_field/updated:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11",
			"order_custom_field:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11"},
		{"order_custom_field/deleted", `"id":` + uuid, fact +
			" clears order_custom_field/created order_custom_field/updated",
			"order_custom_field/deleted:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11",
			"order_custom_field:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11"},
		{"product_variant_custom_field/created", `"id":` + uuid, fact,
			"product_variant_custom_field/created:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11",
			"product_variant_custom_field:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11"},
		{"product_variant_custom_field/updated", `"id":` + uuid, "signal",
			"product_variant_custom_field/updated:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11",
			"product_variant_custom_field:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11"},
		{"product_variant_custom_field/deleted", `"id":` + uuid, fact +
			" clears product_variant_custom_field/created product_variant_custom_field/updated",
			"product_variant_custom_field/deleted:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11",
			"product_variant_custom_field:6e1e7cb8-66f1-4bdc-9c1c-0f0d3a1c5e11"},
		{"fulfillment/updated", `"id":5`, "signal", "fulfillment/updated:<n>", "fulfillment:<n>"},
		{"fulfillment_order/status_updated", `"order_id":5,"fulfillment_id":` + ulid + `,"status":"PACKED"`, "signal",
			"fulfillment_order/status_updated:5 26:01HV0C4B8T2V2M5DYH0000000A", "order:5"},
		{"fulfillment_order/label_status_updated", `"order_id":"5","fulfillment_id":` + ulid + `,"label_id":` + ulid +
			`,"status":"READY"`, "signal", "fulfillment_order/label_status_updated:5 26:01HV0C4B8T2V2M5DYH0000000A " +
			"26:01HV0C4B8T2V2M5DYH0000000A 5:READY", "order:5"},
		{"fulfillment_order/tracking_event_created", track, fact,
			"fulfillment_order/tracking_event_created:5 26:01HV0C4B8T2V2M5DYH0000000A 26:01HV0C4B8T2V2M5DYH0000000B",
			"order:5"},
		{"fulfillment_order/tracking_event_updated", track, "signal",
			"fulfillment_order/tracking_event_updated:5 26:01HV0C4B8T2V2M5DYH0000000A 26:01HV0C4B8T2V2M5DYH0000000B",
			"order:5"},
		{"fulfillment_order/tracking_event_deleted", track, fact,
			"fulfillment_order/tracking_event_deleted:5 26:01HV0C4B8T2V2M5DYH0000000A 26:01HV0C4B8T2V2M5DYH0000000B",
			"order:5"},
		{"location/created", `"id":` + ulid, fact, "location/created:01HV0C4B8T2V2M5DYH0000000A",
			"location:01HV0C4B8T2V2M5DYH0000000A"},
		{"location/updated", `"id":` + ulid, "signal", "location/updated:01HV0C4B8T2V2M5DYH0000000A",
			"location:01HV0C4B8T2V2M5DYH0000000A"},
		{"location/deleted", `"id":` + ulid, fact + " clears location/created location/updated",
			"location/deleted:01HV0C4B8T2V2M5DYH0000000A", "location:01HV0C4B8T2V2M5DYH0000000A"},
		{"app_subscription/updated", `"id":7,"topic":"churn"`, "signal", "app_subscription/updated:7", "app:7"},
		{"charge/created", `"id":"c1","app_id":7`, fact, "charge/created:c1", "charge:c1"},
		{"charge/paid", charge, "signal", "charge/paid:c1 20:2026-01-31T00:00:00Z", "charge:c1"},
		{"charge/failed", charge, "signal", "charge/failed:c1", "charge:c1"},
		{"customer/created", `"id":5` + ts, fact, "customer/created:5 " + at, "customer:5"},
		{"customer/updated", `"id":5` + ts, fact, "customer/updated:5 " + at, "customer:5"},
		{"customer/deleted", `"id":5` + ts, fact + " clears customer/created customer/updated", "customer/deleted:5 " +
			at, "customer:5"},
		{"subscription/updated", `"concept_code":"plan","service_id":7` + ts, fact, "subscription/updated:7 4:plan " +
			at, "subscription:7 4:plan"},
		{"store/redact", ``, "signal protected", "store/redact:store", "store:store"},
		{"customers/redact", `"customer":{"id":9},"orders_to_redact":[2,1]`, "signal protected",
			"customers/redact:9 3:1,2", "customer:9"},
		{"customers/data_request", `"customer":{"id":9},"data_request":{"id":4}`, "fact for ever protected",
			"customers/data_request:4", "customer:9"},
	}
	var registry *webhook.Registry
	var named []webhook.Name
	for _, tt := range tests {
		named = append(named, webhook.Name(tt.event))
		t.Run(tt.event, func(t *testing.T) {
			body := `{"store_id":123,"event":"` + tt.event + `"`
			if tt.members != "" {
				body += "," + tt.members
			}
			e := registry.Entry("app", "", []byte(body+"}"))
			prefix := "app:123:"
			hashed := registry.Entry("app", "", []byte(`{"retry":1,`+body[1:]+"}"))
			if strings.Contains(tt.key, "<n>") {
				id := strings.TrimPrefix(e.Key, prefix+tt.event+":")
				tt.key, tt.lane = strings.ReplaceAll(tt.key, "<n>", id), strings.ReplaceAll(tt.lane, "<n>", id)
				if len(id) != 71 || hashed.Key == e.Key {
					t.Errorf("got key %q, and %q for another body; want hashes", e.Key, hashed.Key)
				}
			} else if hashed.Key != e.Key {
				t.Errorf("a retry counter in the body makes %q of %q", hashed.Key, e.Key)
			}
			if e.Key != prefix+tt.key || e.Lane != prefix+tt.lane || kindOf(e) != tt.kind ||
				e.Event != webhook.Name(tt.event) || e.StoreID != 123 {
				t.Errorf("got %s, key %q, lane %q; want %s, %q, %q", kindOf(e), e.Key, e.Lane, tt.kind, prefix+tt.key,
					prefix+tt.lane)
			}
			if other := registry.Entry("other", "", []byte(body+"}")); other.Key == e.Key || other.Lane == e.Lane {
				t.Errorf("another app shares key %q or lane %q", other.Key, other.Lane)
			}
		})
	}
	if !slices.Equal(named, webhook.Events()) {
		t.Errorf("got %v\nwant the table to have %v", named, webhook.Events())
	}
}

// TestWithoutLaunchTime: what tells one change of a customer or a subscription from the next is missing, so each may be
// a new one. As facts with a key that never changes all but the first were dropped for 72 hours. One in a form that
// nobody has foreseen made the delivery malformed, so that no handler heard of the change.
func TestWithoutLaunchTime(t *testing.T) {
	var registry webhook.Registry
	registry.Policy(webhook.CustomerUpdated.Name, webhook.Policy{Kind: webhook.KindFact, Window: webhook.Forever})
	for _, time := range []string{
		``, `,"event_launch_ts":null`, `,"event_launch_ts":""`, `,"event_launch_ts":0`,
		`,"event_launch_ts":"-0001-11-30T00:00:00+0000"`,
		`,"event_launch_ts":"0001-01-01T00:00:00Z"`, `,"event_launch_ts":"1970-01-01T00:00:00+0000"`,
		`,"event_launch_ts":"soon"`, `,"event_launch_ts":"17441363"`, `,"event_launch_ts":"1744136380 s"`,
		`,"event_launch_ts":true`, `,"event_launch_ts":[]`,
	} {
		for _, tt := range []struct{ event, members, kind, key, lane string }{
			{"customer/created", `"id":5`, "signal", "customer/created:5", "customer:5"},
			{"customer/updated", `"id":5`, "signal", "customer/updated:5", "customer:5"},
			{"customer/deleted", `"id":5`, "signal clears customer/created customer/updated", "customer/deleted:5",
				"customer:5"},
			{"subscription/updated", `"concept_code":"plan","service_id":7`, "signal", "subscription/updated:7 4:plan",
				"subscription:7 4:plan"},
		} {
			body := `{"store_id":123,"event":"` + tt.event + `",` + tt.members + time + `}`
			e := registry.Entry("app", "", []byte(body))
			if e.Key != "app:123:"+tt.key || e.Lane != "app:123:"+tt.lane || kindOf(e) != tt.kind || e.Unhandled != "" {
				t.Errorf("%s: got %s, key %q, lane %q; want %s, %q, %q", body, kindOf(e), e.Key, e.Lane, tt.kind,
					tt.key, tt.lane)
			}
		}
	}
}

func kindOf(e webhook.Entry) string {
	s := string(e.Kind)
	switch {
	case e.Window == webhook.Forever:
		s += " for ever"
	case e.Window != 0:
		s += " " + e.Window.String()
	}
	if e.Protected {
		s += " protected"
	}
	for i, name := range e.Clears {
		if i == 0 {
			s += " clears"
		}
		s += " " + string(name)
	}
	return s
}

// TestKeysAreShort: whatever a body holds, keys fit an index and hold nothing that a database refuses.
func TestKeysAreShort(t *testing.T) {
	var registry *webhook.Registry
	for _, text := range []string{strings.Repeat("x", 100_000), "a\x00b", "\u202e", "ü", "a\nb", "'; --"} {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range []string{
			fmt.Sprintf(`{"store_id":1,"event":"charge/created","id":%s}`, quoted),
			fmt.Sprintf(`{"store_id":1,"event":%s,"id":1}`, quoted),
			fmt.Sprintf(`{"store_id":1,"event":"subscription/updated","concept_code":%s,"service_id":1,`+
				`"event_launch_ts":"2026-01-02T03:04:05+0000"}`, quoted),
		} {
			e := registry.Entry(text, "", []byte(body))
			for _, s := range []string{e.Key, e.Lane, string(e.Event)} {
				if len(s) > 500 || strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
					t.Errorf("%.80s: got %.80q of %d bytes, want a short printable text", body, s, len(s))
				}
			}
		}
	}
}

func TestPolicyOverridesTable(t *testing.T) {
	body := []byte(`{"store_id":1,"event":"order/paid","id":5}`)
	created := []byte(`{"store_id":1,"event":"order/created","id":5}`)
	requested := []byte(`{"store_id":1,"event":"customers/data_request","data_request":{"id":7}}`)
	for _, tt := range []struct {
		name   webhook.Name
		policy webhook.Policy
		body   []byte
		want   string
	}{
		{"order/paid", webhook.Policy{}, body, "signal"},
		{"order/paid", webhook.Policy{Kind: webhook.KindFact}, body, "fact 72h0m0s"},
		{"order/paid", webhook.Policy{Kind: webhook.KindFact, Window: time.Hour}, body, "fact 1h0m0s"},
		{"order/created", webhook.Policy{Window: webhook.Forever}, created, "fact for ever"},
		{"order/created", webhook.Policy{Kind: webhook.KindSignal}, created, "signal"},
		{"order/paid", webhook.Policy{Window: time.Hour}, body, "signal"},
		{"customers/data_request", webhook.Policy{Kind: webhook.KindFact}, requested, "fact for ever protected"},
	} {
		var r webhook.Registry
		r.Policy(tt.name, tt.policy)
		if got := kindOf(r.Entry("", "", tt.body)); got != tt.want {
			t.Errorf("%s with %+v: got %s, want %s", tt.name, tt.policy, got, tt.want)
		}
	}
}
