package oauth

import (
	"crypto/subtle"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// maxBody is far above the size of a token request.
const maxBody = 64 << 10

// tokenRequest is the body of the exchange; the id is a number or text.
type tokenRequest struct {
	ClientID     body.Scalar `json:"client_id"`
	ClientSecret string      `json:"client_secret"`
	GrantType    string      `json:"grant_type"`
	Code         string      `json:"code"`
}

type tokenAnswer struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	Scope       string `json:"scope"`
	UserID      any    `json:"user_id"`
}

// refusal is an error of the exchange. Status 0 is that of Options.TokenErrors400.
type refusal struct {
	status      int
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

// token exchanges a code for a token. Parameters of the URL are not looked at.
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		refuse(w, api.Coded(http.StatusMethodNotAllowed, ""))
		return
	}
	req, refused := s.readToken(w, r)
	if refused == nil {
		var answer tokenAnswer
		if answer, refused = s.exchange(req); refused == nil {
			if s.o.UserIDNumber {
				assume(w)
			}
			writeJSON(w, http.StatusOK, answer)
			return
		}
	}
	status := refused.status
	if status == 0 {
		assume(w)
		status = http.StatusOK
		if s.o.TokenErrors400 {
			status = http.StatusBadRequest
		}
	}
	writeJSON(w, status, refused)
}

func (s *Server) readToken(w http.ResponseWriter, r *http.Request) (tokenRequest, *refusal) {
	var req tokenRequest
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return req, bad("invalid_request", "The body cannot be read")
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case media == "application/json":
		if err := json.Unmarshal(raw, &req); err != nil {
			return req, bad("invalid_request", "Problems parsing JSON")
		}
	case media == "application/x-www-form-urlencoded" && !s.o.Strict:
		form, err := url.ParseQuery(string(raw))
		if err != nil {
			return req, bad("invalid_request", "Problems parsing the form")
		}
		req = tokenRequest{body.Scalar{Text: form.Get("client_id")}, form.Get("client_secret"), form.Get("grant_type"),
			form.Get("code")}
	default:
		return req, bad("invalid_request", "Content-Type should be application/json")
	}
	return req, nil
}

func (s *Server) exchange(req tokenRequest) (tokenAnswer, *refusal) {
	if req.GrantType == "" || req.Code == "" || req.ClientID.Text == "" || req.ClientSecret == "" {
		return tokenAnswer{}, bad("invalid_request", "client_id, client_secret, grant_type and code are required")
	}
	app, ok := s.client(req)
	if !ok {
		return tokenAnswer{}, &refusal{0, "invalid_client", "Client authentication failed"}
	}
	if req.GrantType != "authorization_code" {
		return tokenAnswer{}, bad("unsupported_grant_type", "The grant type should be authorization_code")
	}
	g, ok := s.redeem(app.ID, req.Code)
	if !ok {
		return tokenAnswer{}, &refusal{0, "invalid_grant", "The authorization code has expired"}
	}
	in, err := s.o.World.Install(app.ID, g.store, g.scopes)
	if err != nil {
		return tokenAnswer{}, &refusal{0, "invalid_grant", "The code is of a store that is gone"}
	}
	answer := tokenAnswer{
		AccessToken: in.Token,
		TokenType:   "bearer",
		Scope:       in.Scopes.String(),
		UserID:      strconv.FormatInt(in.Store, 10),
	}
	if s.o.UserIDNumber {
		answer.UserID = in.Store
	}
	return answer, nil
}

// client is the app that the id names, if the secret is its own.
func (s *Server) client(req tokenRequest) (world.App, bool) {
	id, _ := api.ParseID(req.ClientID.Text) // 0 is no app's
	app, ok := s.o.World.App(id)
	same := subtle.ConstantTimeCompare([]byte(app.Secret), []byte(req.ClientSecret)) == 1
	return app, ok && same && app.Secret != ""
}

// assume marks an answer that nothing published shows.
func assume(w http.ResponseWriter) { w.Header().Set(api.ProvenanceHeader, string(api.Assumed)) }

func bad(code, description string) *refusal {
	return &refusal{http.StatusBadRequest, code, description}
}

// refuse answers in the shape that the API has.
func refuse(w http.ResponseWriter, e *api.Error) { writeJSON(w, e.Status, e.Body) }

func writeJSON(w http.ResponseWriter, status int, v any) {
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // an error here is the connection's
}
