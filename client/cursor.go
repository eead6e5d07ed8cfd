package client

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
)

// cursorVersion opens the text of every cursor, so that a later form can be told.
const cursorVersion = "1"

// writeCursor returns a text that resumes the list at the given parameters.
func (l *Listing) writeCursor(next url.Values) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorVersion + " " + l.place() + " " + next.Encode()))
}

func (l *Listing) readCursor(cursor string) (url.Values, error) {
	data, err := base64.RawURLEncoding.DecodeString(cursor)
	parts := strings.SplitN(string(data), " ", 3)
	if err != nil || len(parts) != 3 || parts[0] != cursorVersion {
		return nil, Invalid("cursor", cursor, "a cursor that a page of this list gave")
	}
	if parts[1] != l.place() {
		return nil, Invalid("cursor", parts[1], "a cursor of "+l.place())
	}
	values, err := url.ParseQuery(parts[2])
	if err != nil {
		return nil, Invalid("cursor", cursor, "a cursor that a page of this list gave")
	}
	return values, nil
}

// place names what the list is of: version, store and path.
func (l *Listing) place() string {
	path, err := expand(l.path, l.args)
	if err != nil {
		path = l.path
	}
	return fmt.Sprintf("%s/%d%s", l.view.version, l.view.client.config.StoreID, path)
}
