import { countryName, currencyName } from '../shared/format.ts';

/** Something that is chosen by its name, and kept by its code. */
export type Choice = { code: string; name: string };

// The codes that the service takes: what a browser lists of them holds many that are history.
const COUNTRIES = `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL
  BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE
  DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ
  GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM
  KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ
  MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN
  PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY
  SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF
  WS YE YT ZA ZM ZW`;
const CURRENCIES = `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB
  BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB
  EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD
  JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP
  MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON
  RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP
  TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`;

/** The countries that a shop can be in, by their names. */
export function countries(): Choice[] {
  return byName(COUNTRIES, countryName);
}

/** The currencies that a shop can sell in, by their names. */
export function currencies(): Choice[] {
  return byName(CURRENCIES, currencyName);
}

function byName(codes: string, nameOf: (code: string) => string): Choice[] {
  return codes
    .split(/\s+/)
    .map((code) => ({ code, name: nameOf(code) }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** Whether a choice is among those that a typed text may mean: a part of its name, or its code. */
export function isMeant({ code, name }: Choice, typed: string): boolean {
  const text = plain(typed);
  return plain(name).includes(text) || plain(code).startsWith(text);
}

/** The choice that a typed text means; undefined if it is none, or could be several. */
export function meantBy(choices: readonly Choice[], typed: string): Choice | undefined {
  const text = plain(typed);
  const exact = choices.find(({ code, name }) => [plain(code), plain(name)].includes(text));
  const [only, ...others] = choices.filter((choice) => isMeant(choice, typed));
  return exact ?? (others.length === 0 ? only : undefined);
}

/** Without what people leave out when they type: accents, capitals, marks. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}
