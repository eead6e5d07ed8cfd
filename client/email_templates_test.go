package client

import (
	"maps"
	"testing"
)

func TestEmailTemplateServiceRequests(t *testing.T) {
	ctx := t.Context()
	requests(t, Version202503, as[EmailTemplateService], []request[EmailTemplateService]{
		{"GET /2025-03/123/email-templates", `[{"id":7,"type":"ordershipped","subject":[]}]`, func(s *EmailTemplateService) error {
			all, err := s.List().Collect(ctx)
			if err == nil && (len(all) != 1 || all[0].ID != 7 || all[0].Type != EmailOrderShipped || len(all[0].Subject) != 0) {
				t.Errorf("got %+v", all)
			}
			return err
		}},
		// The answer has neither id nor type, and the record keeps both, and what else came.
		{
			`PUT /2025-03/123/email-templates/7 {"html_enabled":false,"subject":{"es":"Hola"}}`,
			`{"html_enabled":false,"subject":{"es":"Hola","pt":"Oi"},"template_text":{},"template_html":{},"newer":1}`,
			func(s *EmailTemplateService) error {
				read := &EmailTemplate{ID: 7, Type: EmailWelcome, HTMLEnabled: true}
				got, err := s.Update(ctx, read, EmailTemplateInput{HTMLEnabled: Set(false), Subject: Text{"es": "Hola"}})
				if err != nil {
					return err
				}
				if got.ID != 7 || got.Type != EmailWelcome || got.HTMLEnabled || string(got.Extra["newer"]) != "1" ||
					!maps.Equal(got.Subject, Text{"es": "Hola", "pt": "Oi"}) {
					t.Errorf("got %+v", got)
				}
				if !read.HTMLEnabled || read.Subject != nil {
					t.Errorf("the record that was given changed: %+v", read)
				}
				return nil
			},
		},
	})
	with := func(in EmailTemplateInput) func(*EmailTemplateService) error {
		return func(s *EmailTemplateService) error { _, err := s.Update(ctx, &EmailTemplate{ID: 7}, in); return err }
	}
	refused(t, Version202503, as[EmailTemplateService], map[string]func(*EmailTemplateService) error{
		`html_enabled: ""`:      with(EmailTemplateInput{}),
		`html_enabled: "<nil>"`: with(EmailTemplateInput{HTMLEnabled: Null[bool]()}),
		`template_text: "Hola"`: with(EmailTemplateInput{TemplateText: Plain("Hola")}),
		"id: ": func(s *EmailTemplateService) error {
			_, err := s.Update(ctx, nil, EmailTemplateInput{HTMLEnabled: Set(true)})
			return err
		},
	})
}

// A 200 to an update that holds nothing of a template is no template.
func TestEmailTemplateUpdateNeedsAnAnswer(t *testing.T) {
	for _, answer := range []string{`{}`, `{"message":"ok"}`, `null`, ``} {
		view, _ := answering(t, Version202503, answer)
		got, err := as[EmailTemplateService](view).Update(t.Context(), &EmailTemplate{ID: 7}, EmailTemplateInput{HTMLEnabled: Set(true)})
		if err == nil {
			t.Errorf("%q: got %+v, want an error", answer, got)
		}
	}
}
