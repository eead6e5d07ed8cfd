package client

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// EmailType is the subject of an e-mail.
type EmailType string

// The values of EmailType. A store has one template for each.
const (
	EmailAbandonedCheckout EmailType = "abandonedcheckoutrecover"  // an abandoned checkout
	EmailActivateAccount   EmailType = "customer_activate_account" // an account to be confirmed
	EmailResetPassword     EmailType = "customer_reset_password"   // a forgotten password
	EmailWelcome           EmailType = "customer_welcome_account"  // an account that was confirmed
	EmailOrderCancelled    EmailType = "ordercancelled"            // an order that was cancelled
	EmailOrderPaid         EmailType = "ordercaptured"             // an order whose payment was captured
	EmailOrderConfirmed    EmailType = "orderconfirmation"         // a new order
	EmailOrderShipped      EmailType = "ordershipped"              // an order that was shipped
)

// Known reports whether the contract names the value.
func (t EmailType) Known() bool {
	return wire.Known(t,
		EmailAbandonedCheckout, EmailActivateAccount, EmailResetPassword, EmailWelcome, EmailOrderCancelled,
		EmailOrderPaid, EmailOrderConfirmed, EmailOrderShipped,
	)
}

// EmailTemplate is the text of one type of e-mail that the store sends to customers. The texts are keyed by language.
// The languages are es, en and pt, or some of them.
type EmailTemplate struct {
	ID   ID        `json:"id"`   // of the template in its store
	Type EmailType `json:"type"` // the type of e-mail that it is for
	// HTMLEnabled sends TemplateHTML; if it is false, TemplateText is sent.
	HTMLEnabled  bool  `json:"html_enabled"`
	Subject      Text  `json:"subject"`       // of the e-mail
	TemplateText Text  `json:"template_text"` // the e-mail in plain text
	TemplateHTML Text  `json:"template_html"` // the e-mail in HTML
	Extra        Extra `json:",embed"`
}

// EmailTemplateInput is the body of Update, which changes the members that are present. A text replaces the languages
// that it contains. The contract does not say whether other languages are retained; the reference server retains them.
type EmailTemplateInput struct {
	HTMLEnabled  Opt[bool] `json:"html_enabled,omitzero"`  // whether TemplateHTML is sent; null is rejected
	Subject      Text      `json:"subject,omitzero"`       // by language; Plain is rejected
	TemplateText Text      `json:"template_text,omitzero"` // by language; Plain is rejected
	TemplateHTML Text      `json:"template_html,omitzero"` // by language; Plain is rejected
}

func (in EmailTemplateInput) check() error {
	texts := []struct {
		name string
		text Text
	}{{"subject", in.Subject}, {"template_text", in.TemplateText}, {"template_html", in.TemplateHTML}}
	sent := !in.HTMLEnabled.IsZero()
	for _, t := range texts {
		if plain, ok := t.text[""]; ok {
			return engine.Invalid(t.name, plain, "texts keyed by language, such as es")
		}
		sent = sent || len(t.text) > 0
	}
	if in.HTMLEnabled.IsNull() {
		return engine.Invalid("html_enabled", nil, "true or false")
	}
	if !sent {
		return engine.Invalid("html_enabled", "", "set, unless another member is, because nothing would change")
	}
	return nil
}

// EmailTemplateService reads the e-mail templates of the store with the scope read_email_templates and changes them
// with write_email_templates. Templates cannot be created or deleted. Versions 2025-03 and unstable have it.
type EmailTemplateService engine.Service

// List selects all templates, one of each type. The list has no pages.
//
//api:endpoint GET /email-templates
func (s *EmailTemplateService) List() List[EmailTemplate] {
	return listOf[EmailTemplate](s, newQuery(), engine.ListSpec{Path: "/email-templates", Whole: true})
}

// Get returns a template.
//
//api:endpoint GET /email-templates/{id}
func (s *EmailTemplateService) Get(ctx context.Context, id ID) (*EmailTemplate, error) {
	return engine.Get[EmailTemplate](ctx, s, "/email-templates/{id}", nil, id)
}

// Update changes a template and returns the new version; t itself is not changed. The response of the platform has
// neither the id nor the type, so they are copied from t.
//
//api:endpoint PUT /email-templates/{id}
func (s *EmailTemplateService) Update(ctx context.Context, t *EmailTemplate, in EmailTemplateInput) (*EmailTemplate, error) {
	if t == nil || t.ID == 0 {
		return nil, engine.Invalid("id", 0, "the id of a template that was read")
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	var answer struct {
		HTMLEnabled  bool  `json:"html_enabled"`
		Subject      Text  `json:"subject"`
		TemplateText Text  `json:"template_text"`
		TemplateHTML Text  `json:"template_html"`
		Extra        Extra `json:",embed"`
	}
	r := engine.Request{Method: http.MethodPut, Path: "/email-templates/{id}", Args: []any{t.ID}, Body: in, Result: true}
	if err := engine.Do(ctx, s, r, &answer); err != nil {
		return nil, err
	}
	delete(answer.Extra, "id")
	delete(answer.Extra, "type")
	return &EmailTemplate{
		t.ID, t.Type, answer.HTMLEnabled, answer.Subject, answer.TemplateText, answer.TemplateHTML, answer.Extra,
	}, nil
}
