// Keeps the processes of a test run on this machine. Import it first; Node processes that inherit the environment load it too.
// A look-up of an outside name and a connection to an outside address fail at once. They are also written to a report, so that the run
// fails even if the code under test handled the error. Plain JavaScript, because tests run scripts/bootstrap.mjs under Node 20.
import { appendFileSync } from 'node:fs';
import dns from 'node:dns';
import dgram from 'node:dgram';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const report = process.env.ROSTER_TEST_OUTSIDE_REPORT;
const options = process.env.NODE_OPTIONS ?? '';
if (!options.includes(import.meta.url)) process.env.NODE_OPTIONS = `${options} --import=${import.meta.url}`.trim();

/** True for `localhost`, its subdomains and the loopback addresses; an address that PostgreSQL or a test server listens on is one of them. */
function isLoopback(host) {
  const name = String(host)
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  if (name === 'localhost' || name === '::1' || name === '::' || name === '0.0.0.0') return true;
  if (name.startsWith('::ffff:')) return isLoopback(name.slice('::ffff:'.length));
  return net.isIPv4(name) && name.startsWith('127.');
}

/** Writes down what a process tried, with the place in the code, and returns the error that it gets. */
function refuse(what, host) {
  const error = Object.assign(new Error(`Tests stay on this machine: ${what} ${host} is refused`), {
    code: 'EOUTSIDE',
    hostname: host,
  });
  if (report !== undefined) appendFileSync(report, `${error.stack}\n\n`);
  return error;
}

function guardLookup(owner) {
  const { lookup } = owner;
  owner.lookup = function guardedLookup(host, ...rest) {
    if (!host || net.isIP(host) || isLoopback(host)) return Reflect.apply(lookup, this, [host, ...rest]);
    const error = refuse('a look-up of', host);
    const callback = rest.at(-1);
    if (typeof callback !== 'function') return Promise.reject(error);
    process.nextTick(callback, error);
    return undefined;
  };
}

guardLookup(dns);
guardLookup(dns.promises);
for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (const name of Object.getOwnPropertyNames(owner)) {
    if (!/^(resolve|reverse)/.test(name) || typeof owner[name] !== 'function') continue;
    const resolve = owner[name];
    owner[name] = function guardedResolve(host, ...rest) {
      // A test may run a name server of its own.
      if (this?.getServers?.().every((server) => isLoopback(server.replace(/:\d+$/, '')))) {
        return Reflect.apply(resolve, this, [host, ...rest]);
      }
      const error = refuse(`a DNS query (${name}) for`, host);
      const callback = rest.at(-1);
      if (typeof callback !== 'function') return Promise.reject(error);
      process.nextTick(callback, error);
      return undefined;
    };
  }
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function guardedConnect(...args) {
  // net.connect passes its arguments as one normalized array: [options, callback].
  const first = Array.isArray(args[0]) ? args[0][0] : args[0];
  const host = typeof first === 'object' && first !== null ? first.host : args[1];
  const isLocal = first?.path !== undefined || host === undefined || typeof host === 'function' || isLoopback(host);
  // A name is refused by its look-up, which may be replaced by a test.
  if (isLocal || !net.isIP(String(host))) return Reflect.apply(connect, this, args);
  this.destroy(refuse('a connection to', host));
  return this;
};

const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function guardedSend(...args) {
  const host = args.find((arg) => typeof arg === 'string' && net.isIP(arg));
  if (host === undefined || isLoopback(host)) return Reflect.apply(send, this, args);
  throw refuse('a datagram to', host);
};

syncBuiltinESMExports();
