import { z } from 'zod';

/** The codes of ISO 4217 that stand for money in circulation. */
const CODES = new Set(
  `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP
  BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP
  GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR
  KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK
  MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR
  SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS
  UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`.split(/\s+/),
);

/** A currency as its ISO 4217 code. Lower case is accepted and raised. */
export const Currency = z
  .string()
  .trim()
  // Checked before raising the letters: upper case of ß is SS.
  .regex(/^[A-Za-z]{3}$/)
  .toUpperCase()
  .refine((code) => CODES.has(code), 'must be a currency code of ISO 4217, such as EUR')
  .meta({ override: { type: 'string', pattern: '^[A-Za-z]{3}$' } });
