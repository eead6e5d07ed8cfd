package res_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestEmailTemplate(t *testing.T) {
	f := open(t)
	all, _ := f.do("2025-03 GET /email-templates", nil).(array)
	var types []string
	for _, e := range all {
		types = append(types, fmt.Sprint(e.(object)["type"]))
	}
	const want = "[abandonedcheckoutrecover customer_activate_account customer_reset_password customer_welcome_account " +
		"ordercancelled ordercaptured orderconfirmation ordershipped]"
	if got := fmt.Sprint(types); got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	last := all[len(all)-1].(object)
	call := fmt.Sprintf("/email-templates/%d", id(last))
	f.want(f.object("unstable GET "+call, nil), last)
	f.want(last, object{"html_enabled": false, "subject": object{"en": "Your order is on its way", "es": "Your order is on its way"}})

	sent := object{"id": 99, "type": "other", "html_enabled": true, "subject": object{"es": "En camino"}}
	f.want(f.object("2025-03 PUT "+call, sent), object{"id": "absent", "type": "absent", "html_enabled": true,
		"subject": object{"en": "Your order is on its way", "es": "En camino"}, "template_text.en": "Your order is on its way."})
	f.want(f.object("2025-03 PUT "+call, object{"template_html": object{"en": ""}}), object{"html_enabled": true, "template_html.en": ""})
	f.want(f.object("2025-03 GET "+call, nil), object{"id": id(last), "type": "ordershipped", "html_enabled": true,
		"subject.es": "En camino", "template_html.en": ""})
	f.want(f.object("2025-03 GET /email-templates/1", nil), object{"html_enabled": false, "subject.es": "You left something in your cart"})
	f.wantEvents()
	f.wantStatus(http.StatusNotFound, "v1 GET /email-templates", nil)
	f.wantStatus(http.StatusMethodNotAllowed, "2025-03 POST /email-templates", object{"subject": object{"en": "X"}})
	f.wantStatus(http.StatusMethodNotAllowed, "2025-03 DELETE "+call, nil)
}

// The templates of a store are its own.
func TestEmailTemplatesOfTwoStores(t *testing.T) {
	f := open(t)
	other, err := f.AddStore(world.Store{MainLanguage: "pt"})
	if err != nil {
		t.Fatal(err)
	}
	f.object("2025-03 PUT /email-templates/1", object{"subject": object{"en": "Mine"}})
	err = f.World().View(0, other.ID, func(tx *world.Tx) error {
		e, ok := tx.EmailTemplates.Get(1)
		if _, kept := e.Subject["pt"]; !ok || !kept || len(e.Subject) != 1 {
			t.Errorf("got %+v, %t", e, ok)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func emailTemplateRefusals() []refusal {
	const none, one = "Email template not found", "2025-03 PUT /email-templates/1"
	out := []refusal{
		{op: "emailTemplates.get", status: 404, text: none, call: "2025-03 GET /email-templates/99"},
		{op: "emailTemplates.get", status: 404, text: none, call: "2025-03 GET /email-templates/x"},
		{op: "emailTemplates.update", status: 404, text: none, call: "2025-03 PUT /email-templates/99", body: object{"html_enabled": true}},
	}
	add := func(text string, bodies ...any) {
		for _, body := range bodies {
			out = append(out, refusal{op: "emailTemplates.update", status: 422, text: text, call: one, body: body})
		}
	}
	add("There must be at least one field to update", object{}, object{"id": 1, "type": "ordershipped"}, nil)
	add("html_enabled: must be a boolean value", object{"html_enabled": "true"}, object{"html_enabled": nil})
	for _, field := range []string{"subject", "template_text", "template_html"} {
		add(field+": must be an object", object{field: "T"}, object{field: nil}, object{field: array{}})
		add(field+".es: must be a string", object{field: object{"es": 1}}, object{field: object{"es": nil}})
		add(field+".xx: The selected language is invalid.", object{field: object{"xx": "T"}}, object{field: object{"xx": "T", "es": "T"}})
	}
	return out
}

// The operation is published, and its refusals are not, so that only these say so.
func TestInferredRefusalsSayIt(t *testing.T) {
	f := open(t)
	for body, want := range map[string]string{`{}`: "assumed", `{"html_enabled":true}`: ""} {
		w := f.send(f.token, "2025-03 PUT /email-templates/1", body)
		if got := w.Header().Get(api.ProvenanceHeader); got != want {
			t.Errorf("%s: %s %q, want %q", body, api.ProvenanceHeader, got, want)
		}
	}
}
