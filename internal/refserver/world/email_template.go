package world

// EmailTemplate is the text of one kind of e-mail that the store sends. The texts are keyed by
// language.
type EmailTemplate struct {
	ID          int64
	Type        string
	HTMLEnabled bool
	Subject     map[string]string
	Text        map[string]string
	HTML        map[string]string
}

// emailTemplates are the templates of every store, one of each type. The numbers from 1 are their ids.
func emailTemplates(st Store) []EmailTemplate {
	subjects := [][2]string{
		{"abandonedcheckoutrecover", "You left something in your cart"},
		{"customer_activate_account", "Activate your account"},
		{"customer_reset_password", "Choose a new password"},
		{"customer_welcome_account", "Welcome"},
		{"ordercancelled", "Your order was cancelled"},
		{"ordercaptured", "We received your payment"},
		{"orderconfirmation", "We received your order"},
		{"ordershipped", "Your order is on its way"},
	}
	out := make([]EmailTemplate, len(subjects))
	for i, s := range subjects {
		out[i] = EmailTemplate{
			ID: int64(i) + 1, Type: s[0], Subject: st.EveryLanguage(s[1]), Text: st.EveryLanguage(s[1] + "."),
			HTML: st.EveryLanguage("<p>" + s[1] + ".</p>"),
		}
	}
	return out
}
