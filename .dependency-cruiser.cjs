// Which folder may import which. The rules are in the order of the table in ARCHITECTURE.md.

const SERVICE = '^(domain|db|gateways|workflows|activities|api|worker)/';
const TOOLING = '^(sandbox|bench|ops|test|sdk|web)/';
const PROVIDER = '^gateways/providers/(?!shared/)[^/]+/';
const APPS = 'wallet|till|portal|office';
const ASSET = '\\?url$';
const PACKAGES = 'node_modules/(@types/)?';

/** A pattern for paths that start with one of these. */
const only = (...paths) => `^(${paths.join('|')})`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'domain-is-pure',
      comment: 'The rules of the service depend on no I/O, no framework and no other folder.',
      from: { path: '^domain/' },
      to: {
        pathNot: only(
          'domain/',
          `${PACKAGES}(zod|big\\.js|csv-parse|ipaddr\\.js|libphonenumber-js)/`,
        ),
      },
    },
    {
      name: 'db-speaks-sql-only',
      from: { path: '^db/', pathNot: '^db/migrate-main\\.ts$' },
      to: {
        // rate-limiter-flexible stores the limits in a table, through knex; uuidv7 makes keys.
        pathNot: only(
          'db/',
          'domain/',
          `${PACKAGES}(knex|pg|rate-limiter-flexible|uuidv7|@opentelemetry/api)/`,
        ),
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'migrations-stand-alone',
      comment: 'A migration must keep its meaning while the code changes.',
      from: { path: '^migrations/' },
      to: { pathNot: only(`${PACKAGES}knex/`, 'zlib$') },
    },
    {
      name: 'gateways-know-the-domain-only',
      from: { path: '^gateways/' },
      to: { path: `${SERVICE}|^migrations/|^config\\.ts$`, pathNot: only('gateways/', 'domain/') },
    },
    {
      name: 'providers-have-one-door',
      comment: 'The list is the door: whoever names a provider takes another one for it.',
      from: { pathNot: '^gateways/providers/(index\\.ts$|[^/]+/)|^test/' },
      to: { path: PROVIDER },
    },
    {
      name: 'providers-stand-apart',
      comment: 'What several providers, or their simulators, use is in the folder shared.',
      from: { path: '^(gateways|sandbox)/providers/([^/]+)/' },
      to: { path: PROVIDER.replace('gateways', '$1'), pathNot: '^$1/providers/$2/' },
    },
    {
      name: 'workflows-run-nothing-else',
      comment: 'The imports of a workflow are bundled and replayed.',
      from: { path: '^workflows/' },
      to: {
        pathNot: only('workflows/', 'domain/', `${PACKAGES}@temporalio/(workflow|common)/`),
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'workflows-know-types-of-activities',
      from: { path: '^workflows/' },
      to: {
        pathNot: only('workflows/', 'domain/', 'activities/', `${PACKAGES}@temporalio/`),
        dependencyTypes: ['type-only'],
      },
    },
    {
      name: 'activities-know-no-caller',
      from: { path: '^activities/' },
      to: {
        path: `${SERVICE}|^migrations/|^config\\.ts$`,
        pathNot: only('activities/', 'domain/', 'db/', 'gateways/'),
      },
    },
    {
      name: 'api-knows-no-worker',
      from: { path: '^api/' },
      to: { path: only('worker/', 'migrations/') },
    },
    {
      name: 'api-starts-workflows-in-one-place',
      from: {
        path: '^api/',
        pathNot: '^api/(temporal/(orchestrator|oauth-exchange)|cron-jobs)\\.ts$',
      },
      to: { path: only('workflows/', 'activities/') },
    },
    {
      name: 'streams-know-no-routes',
      comment: 'Routes open streams; what both show is in api/resources.',
      from: { path: '^api/(streams|resources)/' },
      to: { path: '^api/routes/' },
    },
    {
      name: 'worker-knows-no-api',
      from: { path: '^worker/' },
      to: { path: only('api/', 'migrations/') },
    },
    {
      name: 'service-imports-no-tooling',
      comment: 'The sandbox, the benchmark, the tools and the tests are never part of the service.',
      from: { pathNot: TOOLING },
      to: { path: TOOLING },
    },
    {
      name: 'sdk-stands-alone',
      comment: 'It is a package of its own. What it knows of the service is the document.',
      from: { path: '^sdk/' },
      to: {
        pathNot: only('sdk/', `${PACKAGES}openapi-(fetch|typescript)/`),
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'sdk-runs-in-browsers',
      from: { path: '^sdk/', pathNot: '^sdk/generate(-main)?\\.ts$' },
      to: { pathNot: only('sdk/', `${PACKAGES}openapi-fetch/`) },
    },
    {
      name: 'sdk-is-used-by-apps-and-tests',
      comment: 'The service does not call itself by its client.',
      from: { pathNot: `^(sdk|test)/|^web/(${APPS}|components|shared|texts)/` },
      to: { path: '^sdk/' },
    },
    {
      name: 'apps-know-the-sdk-only',
      comment:
        'They do what any app can do: of the service they know its client, and nothing else.',
      from: { path: '^web/' },
      to: {
        // Vite answers ?url with the address of a file of a package.
        pathNot: [only('web/', 'sdk/index\\.ts$', 'node_modules/'), ASSET],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'apps-run-in-browsers',
      from: { path: `^web/(${APPS}|shared|texts|service-worker)/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'apps-stand-apart',
      comment: 'What several apps use is in web/shared.',
      from: { path: `^web/(${APPS})/` },
      to: { path: `^web/(${APPS}|components|service-worker)/`, pathNot: '^web/$1/' },
    },
    {
      name: 'apps-are-served-not-imported',
      comment: 'Others use what builds them, and how they are served.',
      from: { pathNot: '^(test/)?web/' },
      to: { path: '^web/', pathNot: '^web/(build|languages|policy)\\.ts$' },
    },
    {
      name: 'tests-are-imported-by-tests',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'config-is-read-by-mains',
      comment: 'Other modules are passed the values that they need.',
      from: { path: SERVICE, pathNot: '(^|/|-)main\\.ts$' },
      to: { path: '^config\\.ts$' },
    },
    {
      name: 'config-needs-little',
      comment:
        'What makes a setting safe is a rule of the domain; others have settings of their own.',
      from: { path: '^config\\.ts$' },
      to: {
        pathNot: only(
          `${PACKAGES}zod/`,
          'domain/(installation|safe-settings|setting-forms)\\.ts$',
          'gateways/(providers/index|setting-files|temporal/settings)\\.ts$',
        ),
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'wiring-is-for-mains',
      comment:
        'Everything else is given the gateways that it needs; the doctor looks at all of them.',
      from: { pathNot: '(^|/|-)main\\.ts$|^ops/doctor\\.ts$|^test/' },
      to: { path: '^wiring\\.ts$' },
    },
    {
      name: 'wiring-knows-gateways-only',
      from: { path: '^wiring\\.ts$' },
      to: { pathNot: only('gateways/', 'config\\.ts$') },
    },
    {
      name: 'wiring-reads-no-config',
      comment: 'It is given one.',
      from: { path: '^wiring\\.ts$' },
      to: { path: '^config\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycle',
      comment: 'Imports of types count as well: what needs each other cannot be read one by one.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'imports-resolve',
      from: {},
      to: { couldNotResolve: true, pathNot: ASSET },
    },
  ].map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    // The starter is a project of its own, with packages of its own.
    exclude: { path: '^(\\.sandbox|coverage|sdk/dist|sdk/starter|web/dist)/' },
    // Type imports are checked as well, and marked as such.
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mts', '.d.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
