// Package cache keeps files that can be made again, in a folder that only its user can read and write. It knows nothing of what
// is in them.
//
//	c, err := cache.Open(dir, 1<<30)
//	entry, ok := c.Get(key)
//	err = c.Put(key, map[string][]byte{"code": code})
//
// An entry is a folder that is put in place at once, with a manifest that has the size and checksum of every file: what is
// damaged or incomplete is not there, and is removed. Any number of processes may use the folder at the same time. When the
// files together are larger than the limit, the entries that were not used for longest go.
//
// The checksums are against accidents. Against other users there are the folder's permissions, without which it is not used.
package cache
