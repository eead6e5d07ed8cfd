package main

import (
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// group is a part of the list of commands.
type group struct {
	title    string
	commands []command
}

// groups is the only list of commands. The first argument, the help and the tests of the lessons use it.
func groups() []group {
	return []group{
		{"Run the platform:", []command{
			serveCommand(), envCommand(), installCommand(), uninstallCommand(), seedCommand(), snapshotCommand(), clockCommand(),
			faultCommand(),
		}},
		{"Act as customers and merchants:", []command{
			triggerCommand(), cartCommand(), quoteCommand(), buyCommand(), payCommand(), saleCommand(), refundCommand(),
			labelsCommand(), disputesCommand(), rulesCommand(), registrationsCommand(),
		}},
		{"See what happened:", []command{logCommand(), deliveriesCommand(), resendCommand()}},
		{"Write and check your app:", []command{
			initCommand(), contractCommand(), doctorCommand(), testCommand(), scenarioCommand(), recordCommand(), replayCommand(),
			signCommand(), verifyCommand(),
		}},
		{"Everything else:", []command{doCommand(), mcpCommand(), helpCommand()}},
	}
}

// commands are the commands of all groups.
func commands() (all []command) {
	for _, g := range groups() {
		all = append(all, g.commands...)
	}
	return all
}

// find returns the command of a name.
func find(name string) (command, error) {
	var names []string
	name, word, _ := strings.Cut(name, " ")
	for _, c := range commands() {
		if c.name == name {
			if one, ok := c.word(word); ok {
				return one, nil
			}
			return c, nil
		}
		names = append(names, c.name)
	}
	return command{}, &usageError{"", world.Known("command", name, names)}
}
