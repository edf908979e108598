package printable

import "fmt"

// Size writes a number of bytes in the largest unit in which it is a whole number, such as 64KiB.
func Size(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB"}
	i := 0
	for i < len(units)-1 && n >= 1<<10 && n%(1<<10) == 0 {
		n >>= 10
		i++
	}
	return fmt.Sprintf("%d%s", n, units[i])
}
