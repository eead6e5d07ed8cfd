package address

import "testing"

func TestNormal(t *testing.T) {
	for _, test := range []struct {
		name, address, same string
	}{
		{"scheme and host in upper case", "HTTPS://App.Example/hooks", "https://app.example/hooks"},
		{"default port", "https://app.example:443/hooks", "https://app.example/hooks"},
		{"default port of http", "http://app.example:80/hooks", "http://app.example/hooks"},
		{"empty port", "https://app.example:/hooks", "https://app.example/hooks"},
		{"no path", "https://app.example", "https://app.example/"},
		{"no path before a query", "https://app.example?a=1", "https://app.example/?a=1"},
		{"dot after the host", "https://app.example./hooks", "https://app.example/hooks"},
		{"dot after the host, before a port", "https://app.example.:8443/hooks", "https://app.example:8443/hooks"},
		{"international host", "https://Tienda-Ñandú.example/hooks", "https://xn--tienda-and-z9a5i.example/hooks"},
		{"IPv6", "https://[2001:DB8::1]:443/", "https://[2001:db8::1]"},
		{"escaped letters", "https://app.example/%68ooks/%7Eme?%61=%2D", "https://app.example/hooks/~me?a=-"},
		{"escapes in lower case", "https://app.example/a%2fb?q=%c3%b1", "https://app.example/a%2Fb?q=%C3%B1"},
		{"letters that need an escape", "https://app.example/ñ b?q=ñ", "https://app.example/%C3%B1%20b?q=%C3%B1"},
		{"an escape beside letters that need one", "https://app.example/ñ%2fb", "https://app.example/%C3%B1%2Fb"},
		{"dot segments", "https://app.example/a/./b/../hooks", "https://app.example/a/hooks"},
		{"fragment", "https://app.example/hooks#top", "https://app.example/hooks"},
		{"empty query", "https://app.example/hooks?", "https://app.example/hooks"},
		{"spaces around it", " https://app.example/hooks\n", "https://app.example/hooks"},
	} {
		if !Same(test.address, test.same) {
			t.Errorf("%s: %s is %s, and %s is %s", test.name, test.address, Normal(test.address), test.same, Normal(test.same))
		}
	}
	for _, test := range []struct {
		name, address, other string
	}{
		{"case of the path", "https://app.example/Hooks", "https://app.example/hooks"},
		{"case of the query", "https://app.example/hooks?k=A", "https://app.example/hooks?k=a"},
		{"port", "https://app.example:8443/hooks", "https://app.example/hooks"},
		{"port of the other scheme", "https://app.example:80/hooks", "https://app.example/hooks"},
		{"scheme", "http://app.example/hooks", "https://app.example/hooks"},
		{"final slash", "https://app.example/hooks/", "https://app.example/hooks"},
		{"two slashes", "https://app.example//hooks", "https://app.example/hooks"},
		{"escaped slash", "https://app.example/a%2Fb", "https://app.example/a/b"},
		{"escaped slash beside ñ", "https://app.example/ñ%2Fb", "https://app.example/ñ/b"},
		{"plus and space", "https://app.example/hooks?q=a+b", "https://app.example/hooks?q=a%20b"},
		{"escaped percent", "https://app.example/%2541", "https://app.example/%41"},
		{"order of the query", "https://app.example/hooks?a=1&b=2", "https://app.example/hooks?b=2&a=1"},
		{"password", "https://me:a@app.example/", "https://me:A@app.example/"},
		{"no address", "", "https://app.example"},
		{"two that are none", "https://app.example/%zz", "https://app.example/%ZZ"},
	} {
		if Same(test.address, test.other) {
			t.Errorf("%s: %s and %s are both %s", test.name, test.address, test.other, Normal(test.other))
		}
	}
}
