package oauth

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// row is the text that a merchant reads if the browser's installation failed or ended elsewhere. {App} and {app} are
// the name of the app at the start of a sentence and inside of one.
type row struct {
	name   string // in Pending.Ended: it must not change
	is     error  // nil for any other
	status int
	next   next
	button string
	title  string
	text   string
}

// next is the action of the button of a page.
type next int

const (
	nextNone   next = iota
	nextBegin       // begins an installation
	nextReload      // repeats the request, which spent nothing
)

// rows are searched in order. An error that an error of the app must not hide comes first. A row says that the app is
// not installed only if that is certain, because an earlier installation or request may have installed it.
var rows = []row{
	{"not-known", errNotKnown, http.StatusServiceUnavailable, nextReload, "Try again",
		"{App} is not ready yet",
		"The platform has accepted the installation, but does not let {app} in yet. The setup continues as soon as it " +
			"does. Try again in a few minutes to see whether it is finished."},
	{"incomplete", ErrIncomplete, http.StatusInternalServerError, nextBegin, "Start again",
		"{App} is installed, but not ready yet",
		"The last step of the setup failed. It will be repeated, and you can start again to repeat it now. If it fails " +
			"again, please contact the support of {app}."},
	{"unsolicited", ErrUnsolicited, http.StatusOK, nextBegin, "Continue",
		"Install {app}",
		"Continue to confirm the installation at the platform. Nothing has been changed yet."},
	{"config", errConfig, http.StatusInternalServerError, nextNone, "",
		"{App} cannot be installed at the moment",
		"Something is wrong in the settings of {app}. Please contact its support."},
	{"busy", errBusy, http.StatusServiceUnavailable, nextReload, "Try again",
		"Please try again in a moment",
		"Too many installations are under way. Nothing was changed by this one."},
	{"waiting", errWaiting, http.StatusServiceUnavailable, nextReload, "Try again",
		"The installation is still being finished",
		"Try again in a moment to see how it ended."},
	{"bad-request", errQuery, http.StatusBadRequest, nextBegin, "Start again",
		"This link cannot be read",
		"It may have been cut or changed on the way here. You can start the installation again."},
	{"bad-target", errTarget, http.StatusBadRequest, nextBegin, "Start again",
		"This link cannot be read",
		"It leads to a page that does not belong to {app}. You can start the installation again."},
	{"bad-method", errMethod, http.StatusMethodNotAllowed, nextBegin, "Start again",
		"This link cannot be read",
		"It was sent in a way that is not supported. You can start the installation again."},
	{"unreachable", ErrNotSent, http.StatusBadGateway, nextReload, "Try again",
		"The platform cannot be reached",
		"Nothing was changed. Please try again in a moment."},
	{"superseded", ErrSuperseded, http.StatusConflict, nextNone, "",
		"{App} is installed",
		"A later installation of the same store has replaced this one. You can close this page."},
	{"stored", errStored, http.StatusInternalServerError, nextReload, "Try again",
		"{App} is installed",
		"This page cannot show more at the moment. Open {app} from the admin of your store, or try again."},
	{"gone", errGone, http.StatusGone, nextBegin, "Install again",
		"{App} is no longer installed",
		"It was installed, and has been removed since. You can install it again."},
	{"unknown", ErrOutcomeUnknown, http.StatusBadGateway, nextBegin, "Start again",
		"It is not clear whether {app} is installed",
		"The platform was asked to finish the installation, but its answer did not arrive or could not be " +
			"read. Start again to make sure."},
	{"declined", errDeclined, http.StatusForbidden, nextBegin, "Start again",
		"The installation was cancelled",
		"You did not approve {app}, so nothing was changed. You can start again whenever you like."},
	{"stopped", errStopped, http.StatusForbidden, nextBegin, "Start again",
		"The installation was stopped",
		"The platform ended it before anything was changed. You can start again. If it is stopped again, " +
			"please contact the support of {app}."},
	{"refused", errRefused, http.StatusBadGateway, nextBegin, "Start again",
		"The installation could not be finished",
		"The platform did not accept the approval. It may have been too old. Please start again."},
	{"hidden", errHidden, http.StatusForbidden, nextBegin, "Install again",
		"This page cannot be shown in this browser",
		"Only the browser that finished the installation can show it, for 10 minutes. Open {app} from the " +
			"admin of your store, or install it again."},
	{"no-cookie", ErrNoCookie, http.StatusForbidden, nextBegin, "Start again",
		"Your browser sent no cookie",
		"A cookie shows that the same browser starts and finishes an installation. Allow cookies for this " +
			"site, then start again. If you have finished already, open {app} from the admin of your store."},
	{"other-browser", ErrOtherBrowser, http.StatusForbidden, nextBegin, "Start again",
		"Another browser started this installation",
		"Continue in the browser in which you started, or start again in this one."},
	{"expired", ErrExpired, http.StatusForbidden, nextBegin, "Start again",
		"This link has expired",
		"It worked for 10 minutes. If the installation was finished by then, open {app} from the admin of " +
			"your store. Otherwise start again."},
	{"used", ErrState, http.StatusForbidden, nextBegin, "Start again",
		"This link cannot be used again",
		"If the installation was finished, open {app} from the admin of your store. Otherwise start again."},
	{"error", nil, http.StatusInternalServerError, nextBegin, "Start again",
		"The installation could not be finished",
		"Something went wrong on our side. Please start again. If it goes wrong again, please contact the " +
			"support of {app}."},
}

// rowOf returns the first row for err.
func rowOf(err error) row {
	for _, row := range rows {
		if row.is != nil && errors.Is(err, row.is) {
			return row
		}
	}
	return rows[len(rows)-1]
}

// recalled returns the error of an installation that ended in another process.
func recalled(name string) error {
	for _, row := range rows {
		switch {
		case row.name != name:
		case row.is == nil:
			return errors.New("oauth: the installation failed in another process")
		default:
			return fmt.Errorf("%w (in another process)", row.is)
		}
	}
	return errUsed
}

// shownName is the name of the app for pages.
type shownName string

func (a App) shownName() shownName { return shownName(strings.TrimSpace(clean(a.Name))) }

// in fills the name into a text.
func (n shownName) in(text string) string {
	first, inside := string(n), string(n)
	if n == "" {
		first, inside = "The app", "the app"
	}
	return strings.NewReplacer("{App}", first, "{app}", inside).Replace(text)
}
