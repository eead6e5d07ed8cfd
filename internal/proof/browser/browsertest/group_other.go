//go:build !linux

package browsertest

import "syscall"

// On other systems the browser is killed alone, by chromedp.
func attributes() *syscall.SysProcAttr { return nil }
func endGroup(int) error               { return nil }
