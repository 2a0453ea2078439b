// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Alternative encodings of a valid ECDSA signature, and invalid signatures.

uint256 constant CURVE_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
address constant IDENTITY_PRECOMPILE = address(4);

function splitSignature(bytes memory genuine) pure returns (bytes32 r, bytes32 s, uint8 v) {
    assembly ("memory-safe") {
        r := mload(add(genuine, 32))
        s := mload(add(genuine, 64))
        v := byte(0, mload(add(genuine, 96)))
    }
}

function highS(bytes memory genuine, address) pure returns (bytes memory) {
    (bytes32 r, bytes32 s, uint8 v) = splitSignature(genuine);
    return abi.encodePacked(r, CURVE_ORDER - uint256(s), v == 27 ? uint8(28) : uint8(27));
}

/// @dev Returns the compact form (ERC-2098), in which v is the highest bit of s.
function compact(bytes memory genuine, address) pure returns (bytes memory) {
    (bytes32 r, bytes32 s, uint8 v) = splitSignature(genuine);
    return abi.encodePacked(r, uint256(s) | (uint256(v - 27) << 255));
}

function nothing(bytes memory, address) pure returns (bytes memory) {
    return "";
}

function firstByte(bytes memory genuine, address) pure returns (bytes memory) {
    return abi.encodePacked(genuine[0]);
}

function withoutV(bytes memory genuine, address) pure returns (bytes memory) {
    (bytes32 r, bytes32 s,) = splitSignature(genuine);
    return abi.encodePacked(r, s);
}

function withParity(bytes memory genuine, address) pure returns (bytes memory) {
    (,, uint8 v) = splitSignature(genuine);
    return withV(genuine, v - 27);
}

function withV29(bytes memory genuine, address) pure returns (bytes memory) {
    return withV(genuine, 29);
}

function withV255(bytes memory genuine, address) pure returns (bytes memory) {
    return withV(genuine, 255);
}

function withV(bytes memory genuine, uint8 v) pure returns (bytes memory) {
    (bytes32 r, bytes32 s,) = splitSignature(genuine);
    return abi.encodePacked(r, s, v);
}

function zeros(bytes memory, address) pure returns (bytes memory) {
    return new bytes(65);
}

function zeroR(bytes memory genuine, address) pure returns (bytes memory) {
    (, bytes32 s, uint8 v) = splitSignature(genuine);
    return abi.encodePacked(bytes32(0), s, v);
}

function zeroS(bytes memory genuine, address) pure returns (bytes memory) {
    (bytes32 r,, uint8 v) = splitSignature(genuine);
    return abi.encodePacked(r, bytes32(0), v);
}

function trailingByte(bytes memory genuine, address) pure returns (bytes memory) {
    return abi.encodePacked(genuine, uint8(0));
}

/// @dev Encodes the signature as a contract signature, although the signer has no code.
function asContracts(bytes memory genuine, address signer) pure returns (bytes memory) {
    return abi.encodePacked(signer, genuine);
}

function asZeroAddresses(bytes memory genuine, address) pure returns (bytes memory) {
    return abi.encodePacked(address(0), genuine);
}

function asIdentitys(bytes memory genuine, address) pure returns (bytes memory) {
    return abi.encodePacked(IDENTITY_PRECOMPILE, genuine);
}
