package traffic

import "testing"

func TestWords(t *testing.T) {
	for body, want := range map[string]string{
		`{"code":404,"description":"No such product","message":"Not Found"}`: "Not Found; No such product",
		`{"code":503,"description":null,"message":"Service Unavailable"}`:    "Service Unavailable",
		`{"code":"free","active":true,"hidden":false}`:                       "active, code free",
		`{"name":["can't be blank","is too long"],"page":{"size":1}}`:        "name can't be blank, is too long, page (size 1)",
		`{"error":"cart 7 does not exist","contact_email":"a@b.example"}`:    "cart 7 does not exist; contact email a@b.example",
		`{"error":{"code":1},"n":12.50}`:                                     "error (code 1), n 12.50",
		`{}`:                                                                 "",
		`null`:                                                               "",
		"<p>\n  not\tJSON\xff </p>":                                          "<p> not JSON </p>",
		`{"cut":"off`:                                                        `{"cut":"off`,
	} {
		if got := Words([]byte(body)); got != want {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}
