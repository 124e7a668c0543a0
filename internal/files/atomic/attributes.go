//go:build linux || darwin

package atomic

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// theSystems are extended attributes that follow from the content, or that the system
// gives and nobody else may.
var theSystems = []string{"security.ima", "security.evm", "com.apple.provenance"}

// copyAttributes gives a file the extended attributes of another, access control lists
// and labels among them, and takes away those that the other has not.
func copyAttributes(name, former string) error {
	want, err := attributesOf(former)
	if err != nil {
		return err
	}
	has, err := attributesOf(name)
	if err != nil {
		return err
	}
	for _, attribute := range has {
		if !slices.Contains(want, attribute) {
			if err := unix.Removexattr(name, attribute); err != nil {
				return notKept(attribute, err)
			}
		}
	}
	for _, attribute := range want {
		value, err := attributeOf(former, attribute)
		if err != nil {
			return notKept(attribute, err)
		}
		if is, err := attributeOf(name, attribute); err == nil && bytes.Equal(is, value) {
			continue
		}
		if err := unix.Setxattr(name, attribute, value, 0); err != nil {
			return notKept(attribute, err)
		}
	}
	return nil
}

func notKept(attribute string, err error) error {
	return fmt.Errorf("%w (%s): %w", ErrNotKept, attribute, err)
}

// attributesOf names the extended attributes of a file; none where the file system has
// none.
func attributesOf(name string) ([]string, error) {
	list, err := sized(func(to []byte) (int, error) { return unix.Listxattr(name, to) })
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read its extended attributes: %w", err)
	}
	names := strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || slices.Contains(theSystems, name) }), nil
}

func attributeOf(name, attribute string) ([]byte, error) {
	return sized(func(to []byte) (int, error) { return unix.Getxattr(name, attribute, to) })
}

// sized reads what gives its size when it is asked with no room.
func sized(read func(to []byte) (int, error)) ([]byte, error) {
	for {
		size, err := read(nil)
		if err != nil || size == 0 {
			return nil, err
		}
		to := make([]byte, size)
		size, err = read(to)
		if errors.Is(err, unix.ERANGE) {
			continue // it has grown in between
		}
		return to[:max(size, 0)], err
	}
}
