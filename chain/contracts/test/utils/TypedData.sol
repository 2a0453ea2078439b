// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Returns the EIP-712 digest of a structure, computed independently of the verifying
/// contract.
function typedDataDigest(string memory name, address verifier, bytes32 structHash)
    view
    returns (bytes32)
{
    bytes32 domain = keccak256(
        abi.encode(
            keccak256(
                "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
            ),
            keccak256(bytes(name)),
            keccak256("1"),
            block.chainid,
            verifier
        )
    );
    return keccak256(abi.encodePacked(hex"1901", domain, structHash));
}
