package res

import (
	"maps"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func emailTemplateOps() []api.Op {
	const one = "/email-templates/{id}"
	read, write := []string{"read_email_templates"}, []string{"write_email_templates"}
	since := []string{api.V202503, api.Unstable}
	missing := []api.ErrCase{{Status: 404, Text: noSuchTemplate}}
	return []api.Op{
		{ID: "emailTemplates.list", Method: "GET", Path: "/email-templates", Scopes: read, Versions: since,
			Provenance: api.Supplement, Paging: api.Paging{Whole: true},
			Handler: api.Collection(findEmailTemplates, showEmailTemplate)},
		{ID: "emailTemplates.get", Method: "GET", Path: one, Scopes: read, Versions: since,
			Provenance: api.Supplement, Errors: missing, Handler: api.Record(emailTemplate, showEmailTemplate)},
		{ID: "emailTemplates.update", Method: "PUT", Path: one, Scopes: write, Versions: since,
			Provenance: api.Supplement, Errors: append(missing, emailTemplateFaults()...), Handler: updateEmailTemplate},
	}
}

// Texts about e-mail templates; the last one is assumed.
const (
	noSuchTemplate  = "Email template not found"
	nothingToUpdate = "There must be at least one field to update"
)

func emailTemplateFaults() []api.ErrCase {
	faults := unprocessable(nothingToUpdate, "html_enabled: "+body.BeBool)
	for _, field := range []string{"subject", "template_text", "template_html"} {
		faults = append(faults, unprocessable(
			field+": "+body.BeObject, field+".es: "+body.BeString, field+".xx: "+body.NotSelectable("language"),
		)...)
	}
	return faults
}

type emailTemplateJSON struct {
	ID   int64  `json:"id"`
	Type string `json:"type"`
	emailTextsJSON
}

// emailTextsJSON is what an app can write, and all that the answer to a PUT has.
type emailTextsJSON struct {
	HTMLEnabled  bool              `json:"html_enabled"`
	Subject      map[string]string `json:"subject"`
	TemplateText map[string]string `json:"template_text"`
	TemplateHTML map[string]string `json:"template_html"`
}

func showEmailTemplate(_ *world.Tx, _ *api.In, t world.EmailTemplate) any {
	return emailTemplateJSON{ID: t.ID, Type: t.Type, emailTextsJSON: emailTexts(t)}
}

func emailTexts(t world.EmailTemplate) emailTextsJSON {
	return emailTextsJSON{HTMLEnabled: t.HTMLEnabled, Subject: t.Subject, TemplateText: t.Text, TemplateHTML: t.HTML}
}

func findEmailTemplates(tx *world.Tx, _ *api.In) ([]world.EmailTemplate, error) {
	return tx.EmailTemplates.Values(), nil
}

func emailTemplate(tx *world.Tx, in *api.In) (world.EmailTemplate, error) {
	t, ok := tx.EmailTemplates.Get(in.ID("id"))
	if !ok {
		return t, api.NotFound(noSuchTemplate)
	}
	return t, nil
}

// updateEmailTemplate changes what is sent, in the languages that are sent.
func updateEmailTemplate(tx *world.Tx, in *api.In) (any, error) {
	t, err := emailTemplate(tx, in)
	if err != nil {
		return nil, err
	}
	b, err := body.Read(in)
	if err != nil {
		return nil, err
	}
	b = b.Solid()
	b.Ignore("id", "type")
	sent := b.Bool("html_enabled", &t.HTMLEnabled)
	for field, texts := range map[string]*map[string]string{
		"subject": &t.Subject, "template_text": &t.Text, "template_html": &t.HTML,
	} {
		sent = b.Has(field) || sent
		b.Object(field, func(by body.Members) { *texts = inLanguages(tx.Store(), by, *texts) })
	}
	wrong := b.Done(in)
	if err := wrong.Err(); err != nil {
		return nil, assumed(err)
	}
	if !sent {
		return nil, assumed(api.Unprocessable(nothingToUpdate))
	}
	return emailTexts(t), tx.EmailTemplates.Put(t.ID, t)
}

// inLanguages returns the texts merged with the sent ones, which are in languages of the store.
func inLanguages(st world.Store, by body.Members, now map[string]string) map[string]string {
	out := maps.Clone(now)
	for language := range by.Left() {
		if !slices.Contains(st.LanguageCodes(), language) {
			by.Ignore(language)
			by.Refuse(language, body.NotSelectable("language"))
			continue
		}
		var text string
		if by.Text(language, &text) {
			out[language] = text
		}
	}
	return out
}
