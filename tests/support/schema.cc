// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/schema.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tests/support/capture.h"

namespace gpuharden::test {

using Json = nlohmann::json;

namespace {

std::string violations_of(const Json& document, const Json& schema_document) {
  const bool is_draft_4 = schema_document.value("$schema", "").find("draft-04") != std::string::npos;
  valijson::Schema schema;
  valijson::SchemaParser(is_draft_4 ? valijson::SchemaParser::kDraft4 : valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), schema);
  valijson::ValidationResults results;
  valijson::Validator validator;
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) return {};
  std::string out;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const auto& part : error.context) out += part;
    out += ": " + error.description + "\n";
  }
  return out;
}

// Objects hold what is described, and nothing else.
void close(Json& schema) {
  if (schema.is_object() && schema.contains("properties") && !schema.contains("additionalProperties"))
    schema["additionalProperties"] = false;
  for (auto& part : schema) {
    if (part.is_structured()) close(part);
  }
}

}  // namespace

std::string violations(const Json& document, const std::string& schema_file) {
  return violations_of(document, Json::parse(read_source(schema_file)));
}

std::string violations_or_undescribed(const Json& document, const std::string& schema_file) {
  Json schema = Json::parse(read_source(schema_file));
  close(schema);
  return violations_of(document, schema);
}

}  // namespace gpuharden::test
