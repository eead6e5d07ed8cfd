package sqlstore

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// lastResort is the remedy for a lost token. The new installation replaces the record.
const lastResort = "have the merchant install the app again"

// plaintext replaces the id of a key for a token that is not sealed.
const plaintext = "plaintext"

// row is a record of table commerce_install.
type row struct {
	storeID      client.ID
	generation   int64
	sealedBy     string
	token        string
	scopes       string
	installedAt  int64
	installation int64
	due          int64 // 1 if OnInstalled is due
	retiredAt    int64 // 0 if not retired
}

// identity returns the fields of a record that can be read without a key.
func (w row) identity() oauth.Install {
	in := oauth.Install{StoreID: w.storeID, Generation: w.generation, Installation: w.installation, Due: w.due != 0}
	if w.retiredAt != 0 {
		in.RetiredAt = time.UnixMicro(w.retiredAt).UTC()
	}
	return in
}

// ring is the keys of one call, the newest first.
type ring struct {
	keys      []Key
	plaintext bool // Store.Plaintext
}

// newest returns the sealed_by of records that need not be sealed again.
func (r ring) newest() string {
	if len(r.keys) == 0 {
		return plaintext
	}
	return r.keys[0].id
}

// bound returns the additional data of a sealed token: its store and its generation. The store prevents the use of a
// record that was copied to another store. The generation prevents a token from an older record from replacing the
// present one. Both are written together with the token.
func bound(storeID client.ID, generation int64) []byte {
	b := []byte("commerce-go oauth/sqlstore token 1\n")
	b = binary.BigEndian.AppendUint64(b, uint64(storeID))
	return binary.BigEndian.AppendUint64(b, uint64(generation))
}

// seal returns the values of the columns sealed_by and token.
func (r ring) seal(storeID client.ID, generation int64, token client.Secret) (sealedBy, text string) {
	sealed := []byte(token)
	if len(r.keys) > 0 {
		sealed = r.keys[0].aead.Seal(nil, nil, sealed, bound(storeID, generation))
	}
	return r.newest(), base64.StdEncoding.EncodeToString(sealed)
}

// record returns the row of an installation, with its token sealed.
func (r ring) record(in *oauth.Install) (row, error) {
	scopes := in.Scopes
	if scopes == nil {
		scopes = oauth.Scopes{}
	}
	list, err := json.Marshal(scopes)
	if err != nil {
		return row{}, fmt.Errorf("oauth/sqlstore: store %d: scopes: %w", in.StoreID, err)
	}
	w := row{storeID: in.StoreID, generation: in.Generation, scopes: string(list), installedAt: in.InstalledAt.UnixMicro()}
	w.installation = in.Installation
	if in.Due {
		w.due = 1
	}
	w.sealedBy, w.token = r.seal(in.StoreID, in.Generation, in.Token)
	return w, nil
}

// open returns the installation of a row. Its errors name the store and the remedy, and contain nothing of the token.
func (r ring) open(w row) (oauth.Install, error) {
	token, err := r.unseal(w)
	if err != nil {
		return oauth.Install{}, err
	}
	var scopes oauth.Scopes
	if err := json.Unmarshal([]byte(w.scopes), &scopes); err != nil {
		return oauth.Install{}, r.damaged(w, "column scopes is not a JSON array of strings")
	}
	in := w.identity()
	in.Token, in.Scopes, in.InstalledAt = token, scopes, time.UnixMicro(w.installedAt).UTC()
	return in, nil
}

func (r ring) unseal(w row) (client.Secret, error) {
	key, err := r.key(w.sealedBy)
	if err != nil {
		return "", fmt.Errorf("oauth/sqlstore: store %d: %w; if it is lost, %s", w.storeID, err, lastResort)
	}
	sealed, err := base64.StdEncoding.DecodeString(w.token)
	if err != nil {
		return "", r.damaged(w, "column token is no base64")
	}
	if key == nil {
		return client.Secret(sealed), nil
	}
	token, err := key.aead.Open(nil, nil, sealed, bound(w.storeID, w.generation))
	if err != nil {
		return "", r.damaged(w, "column token does not open for this store_id and generation")
	}
	return client.Secret(token), nil
}

// key returns the key of a token; nil for one that is not sealed.
func (r ring) key(sealedBy string) (*Key, error) {
	if sealedBy == plaintext {
		if !r.plaintext {
			return nil, fmt.Errorf("%w: set Plaintext and keys, call Reseal, and clear Plaintext again", ErrNotSealed)
		}
		return nil, nil
	}
	for i, key := range r.keys {
		if key.id == sealedBy {
			return &r.keys[i], nil
		}
	}
	return nil, fmt.Errorf("%w %.40q: add that key after the newest one", ErrUnknownKey, sealedBy)
}

func (r ring) damaged(w row, what string) error {
	return fmt.Errorf("oauth/sqlstore: store %d: %w: %s: restore the row from a backup; if there is none, %s",
		w.storeID, ErrDamaged, what, lastResort)
}
