/** Lists programming synonyms: words of questions, and the words that names use for them. @module */

/** Before the colon a word as people say it, after it what names may say instead, abbreviations included. */
export const SYNONYMS = `
create: make new build construct constructor generate factory spawn init
initialize: init setup constructor start
delete: remove del rm erase drop unset unlink discard clear
clear: reset empty flush purge
get: fetch retrieve read obtain load lookup find
set: assign put store write update
add: append insert push put register attach
pop: shift dequeue take
send: emit dispatch publish post notify fire trigger write broadcast
receive: recv read accept subscribe
start: begin open launch run
stop: end close halt terminate abort cancel kill shutdown quit
close: end destroy dispose shutdown teardown cleanup
check: validate verify is has ensure assert test
whether: is has can should contains
equal: eq same equals compare
compare: cmp equal diff
difference: diff delta
convert: to from transform cast coerce parse as
parse: decode read deserialize unmarshal
serialize: encode marshal stringify dump format write
string: str text
number: num int integer count
integer: int
boolean: bool
character: char ch
function: func fn callback handler
callback: cb handler listener fn hook
handler: listener callback handle on
argument: arg args param parameter
parameter: param arg
options: opts config settings
option: opt flag
configuration: config conf cfg settings options
context: ctx
request: req
response: res resp reply
message: msg
error: err exception fail failure
exception: error raise throw
throw: raise error panic
value: val
variable: var
reference: ref
pointer: ptr
index: idx position
identifier: id ident
length: len size count
size: len length count
count: num total len
maximum: max limit upper
minimum: min
average: avg mean
previous: prev last
current: cur now
temporary: temp tmp
directory: dir folder path
folder: dir directory
file: path
path: file dir route
source: src origin input
destination: dest dst target
original: orig
target: dest dst
image: img
document: doc
element: elem el node item
attribute: attr prop
property: prop attr field
object: obj
array: arr list
list: array items
dictionary: dict map
map: dict hash mapping
iterate: iter each for loop next
iterator: iter
each: for iter map
process: handle run exec
execute: exec run call invoke apply
invoke: call exec
application: app
database: db
connection: conn
address: addr
buffer: buf
information: info
description: desc
command: cmd
environment: env
authentication: auth login
authorization: auth permission
password: pwd secret
user: account
expression: expr
statement: stmt
declaration: decl
definition: def
evaluate: eval compute calc
calculate: calc compute get
compute: calc get
synchronous: sync
asynchronous: async
synchronize: sync
allocate: alloc
generate: gen create make
random: rand
sequence: seq
separator: sep delimiter
delimiter: sep separator
prefix: start
suffix: end ext
extension: ext suffix
utility: util helper
administrator: admin
specification: spec
implementation: impl
package: pkg module
module: mod
library: lib
version: ver
register: add
unregister: remove off deregister
subscribe: on listen add
unsubscribe: off remove
enable: on allow
disable: off
copy: clone dup duplicate
duplicate: copy clone dup
merge: combine join concat
combine: merge join concat
concatenate: concat join append
join: concat merge
split: divide separate partition chunk
replace: substitute swap sub
substitute: replace sub
search: find lookup match query
find: search lookup locate get
filter: select where pick exclude
select: pick choose
sort: order rank
sorted: sort order
reverse: invert flip
show: display render print draw
display: show render print
render: draw paint display
print: write log output
log: print write
wait: sleep delay await block
delay: wait timeout sleep
timeout: deadline expire
retry: again repeat attempt
repeat: loop times
limit: max cap bound
round: floor ceil
multiply: mul product times
divide: div
subtract: sub minus
sum: add total
absolute: abs
square: sq sqrt
root: sqrt
exponent: exp pow
power: pow exp
normalize: norm canonical clean
escape: quote encode sanitize
wrap: decorate enclose
unwrap: into inner
consume: into take
lock: mutex acquire
unlock: release free
acquire: lock get take
release: free unlock drop
thread: worker task
task: job
queue: enqueue push
schedule: queue enqueue defer
position: pos offset index loc
location: loc pos position
column: col
row: line
coordinate: coord point xy
width: w size
height: h size
horizontal: x
vertical: y
rectangle: rect box bounds
boundary: bounds edge border
vertex: node point
edge: link arc
graph: g network
neighbor: adjacent adj
recursively: recursive walk deep
traverse: walk visit
visit: walk traverse
permission: perm access mode
timestamp: time date ts
date: time
second: sec
millisecond: ms
hexadecimal: hex
binary: bin
decimal: dec
regular: regex re
pattern: regex glob match
match: test regex find
matches: match test
hash: digest checksum
checksum: hash crc
encrypt: cipher seal
decrypt: decipher open
compress: zip gzip deflate
decompress: unzip inflate
header: head
child: kid sub
parent: super ancestor outer
default: fallback
optional: maybe opt
required: must
unique: distinct dedupe
frozen: immutable readonly const
mutable: mut
constant: const
debug: trace
warning: warn
statistics: stats metric
memory: mem heap
operation: op
operator: op
session: sess
certificate: cert
public: pub
private: internal
standard: std
external: ext
internal: inner
abbreviated: short
shorten: truncate trim abbreviate
trim: strip
strip: trim remove
truncate: cut trim slice
slice: sub range
substring: slice substr
`;
